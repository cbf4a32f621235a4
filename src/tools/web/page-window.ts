/** A part of a long text. `start` and `end` in characters; `end` is where the next part begins. */
export interface PageWindow { readonly start: number; readonly end: number; readonly text: string }

export interface PageWindowOptions {
  readonly offset: number;
  /** The longest part. */
  readonly room: number;
  /** Begin a little before the first place, from the offset on, where this stands; letter case doesn't matter. */
  readonly find?: string | undefined;
}

/** How far back of the end a line end or a space is looked for. */
const LOOK_BACK = 200;

/** Cuts a part out of a text, at a line end or a space where one is near. Undefined: `find` doesn't stand there. */
export function pageWindow(text: string, { offset, room, find }: PageWindowOptions): PageWindow | undefined {
  let start = Math.min(offset, text.length);
  if (find !== undefined) {
    const place = indexOfFolded(text, find, start);
    if (place < 0) return undefined;
    // From the line that it stands in, if that line begins near.
    const line = text.lastIndexOf('\n', place) + 1;
    start = Math.max(start, place - line <= Math.min(LOOK_BACK, room / 4) ? line : place);
  }
  if (isLowSurrogate(text, start)) start -= 1;
  const furthest = start + Math.max(2, room);
  if (furthest >= text.length) return { start, end: text.length, text: text.slice(start) };
  let end = Math.max(text.lastIndexOf('\n', furthest), start);
  if (end < furthest - LOOK_BACK) end = Math.max(text.lastIndexOf(' ', furthest), start);
  if (end < furthest - LOOK_BACK || end <= start) end = isLowSurrogate(text, furthest) ? furthest - 1 : furthest;
  return { start, end, text: text.slice(start, end) };
}

/** Positions stay true: folding that changes the length of a text (`İ`) is left alone. */
function indexOfFolded(text: string, find: string, from: number): number {
  const folded = text.toLowerCase();
  return folded.length === text.length ? folded.indexOf(find.toLowerCase(), from) : text.indexOf(find, from);
}

function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff && index > 0;
}
