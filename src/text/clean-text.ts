/** Anything at all to do? Most texts have nothing. */
const SUSPECT = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff]/;
const TERMINAL_SEQUENCES = [
  // Control sequences: colours, cursor moves.
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g,
  // Operating system commands (titles, links) and device strings, only where they end.
  /(?:\u001b[\]P^_X]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)/g,
  // Character sets, keypad modes and the like.
  /\u001b[ -/]+[0-~]|\u001b[0-Z\\^-~]/g,
];
/** Control characters but tab and line feed, soft hyphen, zero width, fillers, direction marks, annotations. */
const INVISIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/g;
/** Tag characters, the selectors beyond the basic plane and formats of notes and shorthand carry text that nobody sees. */
const SMUGGLED = /[\u{e0000}-\u{e0fff}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}]/gu;
/** One selector says how the character before it looks; a row of them spells something out. */
const SELECTORS = /(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]+|(?<=^|[\s\w])(?<![0-9#*])[\ufe00-\ufe0f]+/g;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * Leaves only what a reader sees: removes control characters (tab and line feed stay, carriage returns become line
 * feeds), terminal sequences, direction and zero-width characters; half surrogate pairs become U+FFFD.
 */
export function cleanText(text: string): string {
  if (!SUSPECT.test(text)) return text;
  // Halves first: what is taken out between two of them must not join them to something new.
  let clean = text.replace(LONE_SURROGATE, '\ufffd').replace(/\r\n?|[\u2028\u2029]/g, '\n');
  for (const sequence of TERMINAL_SEQUENCES) clean = clean.replace(sequence, '');
  return clean.replace(INVISIBLE, '').replace(SMUGGLED, '').replace(SELECTORS, '');
}
