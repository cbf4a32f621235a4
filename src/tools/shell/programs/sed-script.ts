/**
 * Why a sed script isn't harmless; undefined when it only edits what it prints. Reads addresses, blocks and commands one by
 * one: what it can't follow counts as harmful, since `w`, `e` and their flags write and run.
 */
export function harmInSed(script: string): string | undefined {
  // However it is read, only these letters write or run.
  if (!/[wWe]/.test(script)) return undefined;
  let at = 0;
  const unread = 'a part of it can\'t be read';
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const match = pattern.exec(script);
    if (match) at = pattern.lastIndex;
    return match !== null;
  };
  /** To behind the next delimiter that isn't escaped or in a bracket. False at the end of the text. */
  const behind = (delimiter: string, brackets: boolean): boolean => {
    let open = false;
    for (; at < script.length; at += 1) {
      const character = script[at]!;
      // In brackets a delimiter is text for some and an end for others, and so is a backslash.
      if (open) {
        if (character === delimiter || character === '\n' || (character === '\\' && script[at + 1] === ']')) return false;
        if (character === '\\' && script[at + 1] === delimiter) at += 1;
        else if (character === '[' && /[:.=]/.test(script[at + 1] ?? '')) {
          const end = script.indexOf(`${script[at + 1]!}]`, at + 2);
          if (end < 0 || script.slice(at, end).includes(delimiter)) return false;
          at = end + 1;
        } else open = character !== ']';
        continue;
      }
      if (brackets && character === '[' && delimiter !== '[') {
        open = true;
        if (script[at + 1] === '^') at += 1;
        if (script[at + 1] === ']') at += 1;
      } else if (character === '\\') at += 1;
      else if (character === '\n' && brackets) return false;
      else if (character === delimiter) {
        at += 1;
        return true;
      }
    }
    return false;
  };
  const address = (): boolean | 'bad' => {
    if (skip(/\d+(?:~\d+)?|\$/y)) return true;
    if (script[at] === '/') {
      at += 1;
      return behind('/', true) && skip(/[IM]*/y) ? true : 'bad';
    }
    return script[at] === '\\' ? 'bad' : false;
  };

  while (at < script.length) {
    if (skip(/[\s;}]+/y)) continue;
    if (skip(/#[^\n]*/y)) continue;
    const first = address();
    if (first === 'bad') return unread;
    if (first && skip(/\s*,\s*/y) && !skip(/[+~]\d+/y) && address() !== true) return unread;
    skip(/[\s!]*/y);
    const command = script[at] ?? '';
    at += 1;
    if (command === '{') continue;
    if (command === 's' || command === 'y') {
      const delimiter = script[at] ?? '';
      at += 1;
      if (delimiter === '' || /[\\\n\s\w;]/.test(delimiter)) return unread;
      if (!behind(delimiter, command === 's') || !behind(delimiter, false)) return unread;
      if (command === 's') skip(/[gpiIM0-9]*/y);
      if (!skip(/\s*(?=[;\n}]|$)|\s*#/y)) return `the flag ${JSON.stringify(script[at])} writes or runs something, or isn't known`;
      continue;
    }
    if ('aic'.includes(command) && command !== '') {
      skip(/(?:\\\n|[^\n])*/y);
      continue;
    }
    if ('btTr:'.includes(command) && command !== '') {
      if (command === 'r') skip(/[^\n]*/y);
      else skip(/\s*[\w.-]*/y);
      continue;
    }
    if ('dDpPnNgGhHx=lqQzF'.includes(command) && command !== '') {
      skip(/ *\d*/y);
      if (!skip(/\s*(?=[;\n}#]|$)/y)) return unread;
      continue;
    }
    return command === 'w' || command === 'W' ? 'it writes a file' : command === 'e' ? 'it runs a command' : unread;
  }
  return undefined;
}
