import { ArtooError } from '../../contracts/errors.js';

/** Throws ARTOO_CONFORMANCE with the rule that was broken. */
export function check(condition: boolean, rule: string, details: Readonly<Record<string, unknown>> = {}): asserts condition {
  if (condition) return;
  const shown = Object.keys(details).length === 0 ? '' : ` ${show(details)}`;
  throw new ArtooError('ARTOO_CONFORMANCE', `${rule}${shown}`, {
    hint: 'docs/ports has the contract of each port.', details,
  });
}

/** Compares plain data by its JSON. */
export function checkEqual(actual: unknown, expected: unknown, rule: string): void {
  check(show(actual) === show(expected), rule, { expected, actual });
}

/** Waits for a rejection (or a throw) and returns what it was. */
export async function checkRejects(work: () => unknown, rule: string): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  return check(false, rule);
}

function show(value: unknown): string {
  const text = JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item)) ?? String(value);
  return text.length <= 600 ? text : `${text.slice(0, 600)}…(${text.length})`;
}

/** Lets everything that is ready run, in any JavaScript runtime: some turns of the event loop. */
export async function turns(count = 3): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise<void>((resolve) => void setTimeout(resolve, 0));
}

/** A promise and what settles it. */
export function gate(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}
