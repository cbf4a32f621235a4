const TAG = /<(\/?)(?:think|thinking|thought|reasoning)\b[^<>]{0,200}>/gi;

/**
 * Drops what a reasoning model thought aloud and keeps what it answered.
 *
 * Handles blocks that nest, that never close (everything after the opening goes) and closings without an opening
 * (everything before goes: templates often put the opening into the prompt). A tag between quotation marks or backticks
 * is text about a tag and stays.
 */
export function stripThink(text: string): string {
  if (!text.includes('<')) return text;
  let kept = '';
  let position = 0;
  let inside = false;
  /** Openings seen inside a block, whose closing may follow after the block's own. */
  let extraOpenings = 0;
  let keptBeforeBlock = 0;
  let found = false;

  for (const match of text.matchAll(TAG)) {
    const start = match.index;
    const end = start + match[0].length;
    const closing = match[1] === '/';
    if (!inside && isQuoted(text, start, end)) continue;
    found = true;
    if (inside) {
      if (closing) {
        inside = false;
        position = end;
      } else extraOpenings += 1;
    } else if (!closing) {
      kept += text.slice(position, start);
      keptBeforeBlock = kept.length;
      inside = true;
      extraOpenings = 0;
    } else {
      // A closing of its own: of an outer block when one was opened twice, else of a block opened before the text began.
      kept = extraOpenings > 0 ? kept.slice(0, keptBeforeBlock) : '';
      extraOpenings = Math.max(0, extraOpenings - 1);
      position = end;
    }
  }
  if (!found) return text;
  return (inside ? kept : kept + text.slice(position)).trim();
}

function isQuoted(text: string, start: number, end: number): boolean {
  const before = text[start - 1];
  return before !== undefined && before === text[end] && '`"\''.includes(before);
}
