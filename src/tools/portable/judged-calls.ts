import type { FileWorkspace } from './file-workspace.js';

const MOST_REMEMBERED = 1_000;

/**
 * What a file looked like when a call that writes to it was first judged. By the input itself, so that equal calls of
 * two tasks don't mix, and so that judging the same call again, right before it runs, can't move what a person was
 * shown; where the input was copied on its way, by what it says, oldest forgotten first.
 */
export interface JudgedCalls<Input> {
  /** Looks at the file now; only the first look at this input is kept. Resolves with what it is now. */
  look(input: Input): Promise<string>;
  /** What was kept, or what is there now when nothing was. */
  seen(input: Input): Promise<string>;
  /** What was kept; forgets it, as a call runs once. */
  take(input: Input): string | undefined;
}

export function createJudgedCalls<Input extends { readonly path: string }>(workspace: FileWorkspace, keyOf: (input: Input) => string): JudgedCalls<Input> {
  const byInput = new WeakMap<Input, string>();
  const byText = new Map<string, string>();
  const keep = (input: Input, fingerprint: string): void => {
    byInput.set(input, fingerprint);
    const key = keyOf(input);
    byText.delete(key);
    byText.set(key, fingerprint);
    const oldest = byText.size > MOST_REMEMBERED ? byText.keys().next().value : undefined;
    if (oldest !== undefined) byText.delete(oldest);
  };
  const look = async (input: Input): Promise<string> => {
    const fingerprint = await workspace.fingerprint(input.path);
    if (!byInput.has(input)) keep(input, fingerprint);
    return fingerprint;
  };
  return {
    look,
    seen: async (input) => byInput.get(input) ?? byText.get(keyOf(input)) ?? await look(input),
    take(input) {
      const key = keyOf(input);
      const fingerprint = byInput.get(input) ?? byText.get(key);
      byInput.delete(input);
      byText.delete(key);
      return fingerprint;
    },
  };
}

/** FNV-1a over the code units: tells contents apart in a key, protects nothing. */
export function keyOfText(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return `${text.length}:${value >>> 0}`;
}
