const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;
const WIDE = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]|[\u{20000}-\u{3fffd}]/u;

/** Text that a terminal can only show: what would act on it or hide in it is written out, as `<U+202E>`. */
export function visible(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(HIDDEN, (character) => `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`);
}

/** JSON that says the same in characters that a terminal can only show. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(HIDDEN, (hidden) => [...Array(hidden.length).keys()].map((at) => `\\u${hidden.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''));
}

/** Visible text on one line, at most so many columns wide; wide characters count twice. */
export function oneLine(text: string, columns: number): string {
  const line = visible(text).replace(/\s+/g, ' ').trim();
  let width = 0;
  let kept = '';
  for (const character of line) {
    const next = width + (WIDE.test(character) ? 2 : 1);
    if (next > columns - 1 && kept.length + character.length < line.length) return `${kept}…`;
    kept += character;
    width = next;
  }
  return kept;
}
