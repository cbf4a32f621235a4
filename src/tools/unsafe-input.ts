/** Deeper than any tool needs, shallow enough for every validator's recursion. */
const DEEPEST = 100;

/**
 * Why an input may not reach a validator or a tool, or undefined. Looks for keys that could touch a prototype when a
 * tool copies the input, and for nesting that exhausts the stack of code that recurses. Values that are not plain data
 * (class instances, functions) are not looked into.
 */
export function findUnsafeInput(input: unknown): string | undefined {
  const open: { readonly value: object; readonly depth: number }[] = [];
  const push = (value: unknown, depth: number): void => {
    if (typeof value === 'object' && value !== null && (Array.isArray(value) || isPlain(value))) open.push({ value, depth });
  };
  push(input, 1);
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (depth > DEEPEST) return `nested deeper than ${DEEPEST} levels`;
    if (Array.isArray(value)) {
      for (const item of value) push(item, depth + 1);
      continue;
    }
    for (const key of Object.keys(value)) {
      if (key === '__proto__') return 'the key "__proto__" is not allowed';
      push((value as Record<string, unknown>)[key], depth + 1);
    }
  }
  return undefined;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
