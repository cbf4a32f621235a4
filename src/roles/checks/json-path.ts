/**
 * Reads `a.b[0].c` (a leading `$.` is allowed; keys with other characters as `["a b"]`). Undefined when nothing is
 * there or the path can't be read. Own properties only.
 */
export function readPath(value: unknown, path: string): unknown {
  const steps = path.replace(/^\$\.?/, '').matchAll(/\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\]|([^.[\]]+)/g);
  let current = value;
  for (const [, index, double, single, plain] of steps) {
    const key = index ?? double ?? single ?? plain!;
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}
