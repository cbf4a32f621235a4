// Turns a `find` through personal folders into a look into the Spotlight index, where the index can say the same.

const WORD = /^(?:'([^'\\]*)'|"([^"\\$`!]*)"|([A-Za-z0-9_@%+=:,.*~/-]+))(?=\s|$)/;
/** Stays as it stands: what comes after works on one path per line, whoever printed it. */
const AFTER = /(?:\s+2>\s?\/dev\/null)?(?:\s*\|\s*(?:head|tail)(?:\s+-(?:n\s?)?\d+)?|\s*\|\s*wc\s+-l|\s*\|\s*sort)?\s*$/;
const NAME = /^[\p{L}\p{N} _.*+@%=,-]+$/u;
const TYPES = { f: 'kMDItemContentTypeTree != "public.directory" && kMDItemContentTypeTree != "public.symlink"', d: 'kMDItemContentTypeTree == "public.directory"' };

/**
 * `find ~ -name '*.pdf'` becomes `mdfind -onlyin …`. Everything that the index has no word for (-path, -mtime, -maxdepth,
 * -exec, several tests joined with -o, hidden names, other folders) leaves the command as it was: a half translated
 * search answers another question.
 *
 * @param {{ home: string, root: string }} places both absolute
 * @returns {(command: string) => string}
 */
export const rewriteFind = ({ home, root }) => (command) => {
  const after = AFTER.exec(command)?.[0] ?? '';
  const words = split(command.slice(0, command.length - after.length).trim());
  if (words?.[0]?.text !== 'find' || words[0].quoted || words.length < 4) return command;
  const folder = personalFolder(words[1], { home, root });
  if (folder === undefined) return command;
  /** @type {string[]} */
  const tests = [];
  const seen = new Set();
  for (let index = 2; index < words.length; index += 2) {
    const option = words[index]?.text;
    const value = words[index + 1];
    if (option === undefined || value === undefined || seen.has(option === '-iname' ? '-name' : option)) return command;
    seen.add(option === '-iname' ? '-name' : option);
    if ((option === '-name' || option === '-iname') && NAME.test(value.text) && !value.text.startsWith('.') && (value.quoted || !value.text.includes('*'))) {
      tests.push(`kMDItemFSName == "${value.text}"${option === '-iname' ? 'c' : ''}`);
    } else if (option === '-type' && (value.text === 'f' || value.text === 'd')) tests.push(TYPES[value.text]);
    else return command;
  }
  return seen.has('-name') ? `mdfind -onlyin '${folder}' '${tests.join(' && ')}'${after.trimEnd()}` : command;
};

/** @param {{ text: string, quoted: boolean } | undefined} word @param {{ home: string, root: string }} places */
function personalFolder(word, { home, root }) {
  if (word === undefined) return undefined;
  const tilde = !word.quoted && (word.text === '~' || word.text.startsWith('~/'));
  const path = (tilde ? home + word.text.slice(1) : word.text).replace(/(?<=.)\/+$/, '');
  const inside = path === home || path.startsWith(`${home}/`);
  const ofProject = path === root || path.startsWith(`${root}/`);
  // What Spotlight leaves out of its index, or can't be written between single quotation marks.
  return inside && !ofProject && !/\/(?:\.|Library(?:\/|$))|['*]/.test(path.slice(home.length)) && !path.includes("'") ? path : undefined;
}

/** The words of one simple command; undefined where there is anything else. @param {string} command */
function split(command) {
  /** @type {{ text: string, quoted: boolean }[]} */
  const words = [];
  let rest = command;
  while (rest !== '') {
    const match = WORD.exec(rest);
    if (!match) return undefined;
    words.push({ text: match[1] ?? match[2] ?? match[3] ?? '', quoted: match[3] === undefined });
    rest = rest.slice(match[0].length).trimStart();
  }
  return words;
}
