import { describe, expect, it } from 'vitest';
import { analyzeShell } from '../../src/entries/tools.js';
import { OPTIONS } from './support.js';

const INPUTS: readonly (readonly [name: string, command: string])[] = [
  ['5,000 nested substitutions', `echo ${'$(echo '.repeat(5_000)}${')'.repeat(5_000)}`], ['5,000 short ones', '$('.repeat(5_000) + ')'.repeat(5_000)], ['1 MB in one line', `echo ${'a'.repeat(1_000_000)}`], ['1 MB of commands', 'ls;'.repeat(350_000)],
  ['open parentheses', '('.repeat(19_999)], ['open braces', '{ '.repeat(9_999)], ['backticks', '`'.repeat(19_999)], ['quotes', "'".repeat(19_999)], ['open here-documents', 'cat <<A '.repeat(2_400)], ['arithmetic', `echo $((1${'+1'.repeat(9_000)}))`], ['brace groups', `echo ${'{a,b}'.repeat(3_900)}`],
  ['nested braces', `echo ${'{'.repeat(9_900)}${'}'.repeat(9_900)}`], ['assignments', 'a=1;'.repeat(4_900)], ['pipes', `${'ls|'.repeat(6_600)}ls`], ['unknown programs', 'foo;'.repeat(4_900)], ['env of env', `${'env '.repeat(4_900)}ls`], ['eval of eval', 'eval '.repeat(3_900)],
  ['loops in loops', `${'for i in 1 2 3; do '.repeat(30)}ls;${'done;'.repeat(30)}`], ['endless loops', `${'while :; do '.repeat(35)}${'x=1;'.repeat(2_000)}${'done;'.repeat(35)}`], ['parameters', `${'${a:-'.repeat(3_300)}${'}'.repeat(3_300)}`], ['backslashes', '\\'.repeat(19_999)], ['control characters', '\u0001'.repeat(19_999)], ['halves of characters', '\ud800'.repeat(100)],
  ['dots', `echo > ${'../'.repeat(6_000)}x`], ['sequences', `echo ${'{1..9}'.repeat(3_300)}`], ['a long sequence', 'echo {1..999999}{1..999999}'], ['a sed script', `sed '${'s/a/b/;'.repeat(2_400)}'`], ['an awk program', `awk '${'"a" '.repeat(4_900)}'`], ['brackets', `node -e '${'['.repeat(19_900)}'`], ['tests', `[[ ${'( '.repeat(9_000)}`], ['tabs', '\t'.repeat(20_000)], ['nothing', ''], ['blanks', '   '], ['a comment', '# x'],
];

describe('hostile input', () => {
  it.each(INPUTS)('%s: an answer of the three, and no throw', (_, command) => {
    const { effect, findings } = analyzeShell(command, OPTIONS);
    expect(['read', 'write', 'irreversible']).toContain(effect);
    expect(findings.every(({ range: [start, end] }) => start <= end && end <= command.length)).toBe(true);
    expect(findings.length === 0).toBe(effect === 'read');
  });
  it.each([undefined, null, 5, {}, [], true, Symbol.iterator])('%s is irreversible', (value) => expect(analyzeShell(value as never, OPTIONS).effect).toBe('irreversible'));
  it.each([undefined, null, {}, { cwd: 'relative' }, { cwd: 5 }])('options %j are irreversible', (value) => expect(analyzeShell('ls', value as never).effect).toBe('irreversible'));
  it('seeded garbage never throws', () => {
    let seed = 7;
    const next = (most: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % most;
    const atoms = ['$(', ')', '`', '"', "'", '{', '}', ';', '|', '&', '<<', '<', '>', '((', '))', '[[', ']]', 'if ', 'fi', 'do ', 'done', 'case ', 'in ', 'rm ', 'ls ', '\n', '\\', '$', '${', 'x=', '#', '*', '!', '~', ' ', 'é', '\u0000', '[', ']', 'for ', '=', 'function ', 'eval ', '-', '1'];
    for (let round = 0; round < 3_000; round += 1) {
      const command = Array.from({ length: next(24) }, () => atoms[next(atoms.length)]).join('');
      expect(() => analyzeShell(command, OPTIONS)).not.toThrow();
    }
  });
});
