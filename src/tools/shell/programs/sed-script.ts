/**
 * Why a sed script isn't harmless; undefined when it only edits what it prints. Reads addresses, blocks and commands one by
 * one: what it can't follow counts as harmful, since `w`, `e` and their flags write and run.
 */
export function harmInSed(script: string): string | undefined {
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
    for (; at < script.length; at += 1) {
      const character = script[at]!;
      if (character === '\\') at += 1;
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
      if (!behind(delimiter, true) || !behind(delimiter, false)) return unread;
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
