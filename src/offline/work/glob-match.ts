/**
 * Does a path below a folder match a glob? For lists that a tool returned unfiltered: `*`, `?`, `[a-z]`, `{a,b}`, `**`;
 * without a slash the name alone counts.
 */
export function matchesGlob(path: string, glob: string): boolean {
  const subject = glob.includes('/') ? path : (path.split('/').pop() ?? path);
  return new RegExp(`^${toSource(glob.replace(/^(?:\.\/)+/, ''))}$`, 'u').test(subject);
}

function toSource(glob: string): string {
  let source = '';
  let open = 0;
  for (let index = 0; index < glob.length; index += 1) {
    const rest = glob.slice(index);
    const set = /^\[(!?)([^\]\\]+)\]/.exec(rest);
    if (rest.startsWith('**/')) { source += '(?:[^/]+/)*'; index += 2; }
    else if (rest.startsWith('**')) { source += '.*'; index += 1; }
    else if (rest.startsWith('*')) source += '[^/]*';
    else if (rest.startsWith('?')) source += '[^/]';
    else if (set) { source += `[${set[1] === '' ? '' : '^'}${set[2]!.replace(/[\^[&]/g, '\\$&')}]`; index += set[0].length - 1; }
    else if (rest.startsWith('{') && rest.includes('}')) { source += '(?:'; open += 1; }
    else if (rest.startsWith('}') && open > 0) { source += ')'; open -= 1; }
    else if (rest.startsWith(',') && open > 0) source += '|';
    else source += rest[0]!.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  }
  return source;
}
