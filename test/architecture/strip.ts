/** Where a `/` begins a regular expression and no division: after these, or at the beginning. */
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};+\-*%<>~^\n]|\b(?:return|typeof|case|in|of|void))\s*$/;

/**
 * The code without its comments; with `strings: false` also without the contents of strings, templates and regular
 * expressions. Lines keep their numbers. Good enough for rules over source text, no parser.
 */
export function strip(source: string, { strings }: { readonly strings: boolean }): string {
  let out = '';
  let at = 0;
  const keep = (text: string): void => { out += strings ? text : text.replace(/[^\n]/g, ' '); };
  const copyTo = (end: number): void => { keep(source.slice(at, end)); at = end; };
  const templates: number[] = [];
  while (at < source.length) {
    const char = source[at]!;
    const next = source[at + 1];
    if (char === '/' && next === '/') {
      const end = source.indexOf('\n', at);
      at = end === -1 ? source.length : end;
    } else if (char === '/' && next === '*') {
      const end = source.indexOf('*/', at + 2);
      const comment = source.slice(at, end === -1 ? source.length : end + 2);
      out += comment.replace(/[^\n]/g, '');
      at += comment.length;
    } else if (char === "'" || char === '"' || (char === '/' && BEFORE_REGEX.test(out.slice(-20)))) {
      copyTo(endOfLiteral(source, at));
    } else if (char === '`' || (char === '}' && templates.at(-1) === 0)) {
      if (char === '}') templates.pop();
      const end = endOfTemplatePart(source, at + 1);
      if (source[end - 1] === '{') templates.push(0);
      copyTo(end);
    } else {
      if (templates.length > 0 && (char === '{' || char === '}')) templates[templates.length - 1]! += char === '{' ? 1 : -1;
      out += char;
      at += 1;
    }
  }
  return out;
}

/** Behind the closing quote or slash, or at the line's end where there is none. */
function endOfLiteral(source: string, start: number): number {
  const quote = source[start]!;
  let inClass = false;
  for (let at = start + 1; at < source.length; at += 1) {
    const char = source[at]!;
    if (char === '\\') at += 1;
    else if (char === '\n') return at;
    else if (quote === '/' && char === '[') inClass = true;
    else if (quote === '/' && char === ']') inClass = false;
    else if (char === quote && !inClass) return at + 1;
  }
  return source.length;
}

/** Behind the closing backtick, or behind the next `${`. */
function endOfTemplatePart(source: string, start: number): number {
  for (let at = start; at < source.length; at += 1) {
    const char = source[at];
    if (char === '\\') at += 1;
    else if (char === '`') return at + 1;
    else if (char === '$' && source[at + 1] === '{') return at + 2;
  }
  return source.length;
}
