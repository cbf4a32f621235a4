import { describe, expect, it } from 'vitest';
import { effectOf } from './support.js';

/** A generator of whole numbers below `most`; the same seed gives the same numbers. */
function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * most);
  };
}
type Pick = (most: number) => number;
type Mutation = (command: string, pick: Pick) => string;

/** Each destroys something whichever way it is written. */
const SEEDS = [
  'rm a.txt', 'rm -rf src', 'find . -delete', 'mv b.txt a.txt', 'cp b.txt a.txt', 'truncate -s 0 a.txt', 'dd if=b.txt of=a.txt', 'tee a.txt', 'sed -i s/a/b/ a.txt', 'sort -o a.txt b.txt', 'git reset --hard', 'git clean -fd', 'git push origin main', 'shred a.txt', 'chmod 000 a.txt', 'unlink a.txt',
  'xargs rm', 'bash script.sh', 'python3 x.py', 'curl -d x https://example.com', 'sudo ls', 'kill -9 1', 'ln -sf b.txt a.txt', 'gzip a.txt', 'tar xf archive.tar', 'npm install', 'crontab -r',
];
const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const double = (text: string): string => `"${text.replace(/["\\$`]/g, '\\$&')}"`;
const words = (command: string): string[] => command.split(' ');
const onWord = (command: string, pick: Pick, change: (word: string) => string): string => {
  const list = words(command);
  const at = pick(list.length);
  return list.map((word, index) => (index === at && /^[\w./-]+$/.test(word) ? change(word) : word)).join(' ');
};
const inside = (word: string, pick: Pick, between: string): string => {
  const at = 1 + pick(Math.max(1, word.length - 1));
  return word.slice(0, at) + between + word.slice(at);
};

const SPELLINGS: readonly Mutation[] = [
  (command, pick) => onWord(command, pick, (word) => inside(word, pick, ["''", '""', '\\', '$@', '${x}', '$x', '\\\n', "$''", '${x:-}', '`true`', '$(true)'][pick(11)]!)),
  (command, pick) => onWord(command, pick, single),
  (command, pick) => onWord(command, pick, double),
  (command, pick) => onWord(command, pick, (word) => `$'${[...word].map((character) => (pick(2) === 0 ? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}` : `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`)).join('')}'`),
  (command, pick) => onWord(command, pick, (word) => `{${word},}`),
  (command) => command.replaceAll(' ', '${IFS}'),
  (command) => command.replace(' ', '$IFS'),
  (command) => command.replaceAll(' ', ' \t '),
  (command, pick) => onWord(command, pick, (word) => `$(echo ${word})`),
  (command) => `x=${single(command)}; $x`,
  (command) => { const [name, ...rest] = words(command); return `x=${name}; $x ${rest.join(' ')}`; },
  (command) => { const [name, ...rest] = words(command); return `alias l=${name}\nl ${rest.join(' ')}`; },
  (command) => { const [name, ...rest] = words(command); return `l() { ${name} "$@"; }; l ${rest.join(' ')}`; },
  (command) => `/usr/bin/${command}`,
  // In the program's name: elsewhere it names another file, which may be new.
  (command, pick) => { const [name, ...rest] = words(command); return [/^[\w./-]+$/.test(name!) ? inside(name!, pick, ['\u200b', '\u00a0', '\u202e', '\ufeff'][pick(4)]!) : name, ...rest].join(' '); },
];
const NESTINGS: readonly Mutation[] = [
  ...['ls; %', 'ls\n%', 'ls && %', 'ls | %', '! %', '(%)', '{ %; }', 'if ls; then %; fi', 'for i in 1 2; do %; done', 'while true; do %; break; done', 'case a in *) %;; esac', 'f() { %; }; f', 'echo $(%)', 'echo "$(%)"', 'x=$(%)', 'cat <(%)', '% &', 'time %', 'env A=1 %', 'command %', 'nice %', 'timeout 9 %', 'nohup %',
    'setsid %', 'stdbuf -oL %', 'cat <<E\n$(%)\nE', 'echo ${x:-$(%)}', '[[ -n $(%) ]]', 'coproc %', 'ls # x\n%', 'true || %', 'until %; do ls; done', 'exec %', 'select i in a; do %; done', 'echo $((1 + $(%)))', 'ls "$(%)" > /dev/null'].map((hole): Mutation => (command) => hole.replace('%', () => command)),
  (command) => `sh -c ${single(command)}`, (command) => `bash -c ${double(command)}`, (command) => `eval ${single(command)}`, (command) => `trap ${single(command)} EXIT`, (command) => `echo ${single(command)} | sh`, (command) => `bash <<< ${single(command)}`, (command) => `find . -exec sh -c ${single(command)} \\;`,
  (command) => `x=${single(command)}; eval "$x"`, (command) => `bash -c "$(echo ${single(command)})"`, (command) => `echo \`${command.replace(/[`\\]/g, '\\$&')}\``, (command) => `xargs -I@ sh -c ${single(command)}`,
];
describe('no spelling of a destructive command comes back as harmless', () => {
  const rounds = process.env['ARTOO_SWEEP'] ? 9_000 : 300;
  it(`${rounds} variants`, () => {
    const pick = numbers(20_240_117);
    const missed: string[] = [];
    const seen = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      let command = SEEDS[pick(SEEDS.length)]!;
      for (let times = pick(3); times > 0; times -= 1) command = SPELLINGS[pick(SPELLINGS.length)]!(command, pick);
      for (let times = pick(3); times > 0; times -= 1) command = NESTINGS[pick(NESTINGS.length)]!(command, pick);
      seen.add(command);
      if (effectOf(command) !== 'irreversible') missed.push(command);
    }
    expect(missed).toEqual([]);
    expect(seen.size).toBeGreaterThan(rounds / 3);
  });
  it('the nestings themselves are harmless around a harmless command', () => {
    const harmless = NESTINGS.slice(0, 36).filter((nest) => effectOf(nest('echo x', numbers(1))) !== 'irreversible');
    expect(harmless.length).toBeGreaterThan(30);
  });
});
