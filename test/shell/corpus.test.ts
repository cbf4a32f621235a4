import { describe, expect, it, test } from 'vitest';
import { analyzeShell } from '../../src/entries/tools.js';
import { CORPUS, OPTIONS, effectOf } from './support.js';

const judged = CORPUS.map((entry) => ({ ...entry, got: effectOf(entry.command) }));
const inGroup = (...groups: string[]) => judged.filter(({ group }) => groups.includes(group));
const destructive = judged.filter(({ effect }) => effect === 'irreversible');
const harmless = (group: string) => judged.filter((entry) => entry.group === group && entry.effect !== 'irreversible');
const missed = (entries: typeof judged) => entries.filter(({ got }) => got !== 'irreversible').map(({ command }) => command);
const alarmed = (entries: typeof judged) => entries.filter(({ got }) => got === 'irreversible').map(({ command }) => command);

test('the corpus is large, without doubles, and has every group', () => {
  expect(new Set(CORPUS.map(({ command }) => command)).size).toBe(CORPUS.length);
  const groups = ['obvious', 'overwriting', 'wrapped', 'interpreted', 'obfuscated', 'git', 'remote', 'plain', 'look-alike', 'hard'];
  expect(groups.map((group) => inGroup(group).length >= 50)).toEqual(groups.map(() => true));
  expect(CORPUS.length).toBeGreaterThan(1_000);
});

describe('destructive commands', () => {
  it.each(['obvious', 'overwriting', 'git', 'remote'])('%s: every one is irreversible', (group) => expect(missed(inGroup(group).filter(({ effect }) => effect === 'irreversible'))).toEqual([]));
  it('all together: at least 99.5 %', () => expect(missed(destructive).length / destructive.length, missed(destructive).join('\n')).toBeLessThanOrEqual(0.005));
  it('each names a node inside of the command', () => {
    const wrong = destructive.filter(({ command }) => {
      const { findings } = analyzeShell(command, OPTIONS);
      return findings.length === 0 || findings.some(({ reason, range: [start, end] }) => reason === '' || start < 0 || end < start || end > command.length);
    });
    expect(wrong.map(({ command }) => command)).toEqual([]);
  });
});

describe('false alarms', () => {
  it.each([['plain', 0.02], ['look-alike', 0.03], ['hard', 0.25]] as const)('%s: at most %d', (group, most) => {
    const entries = harmless(group);
    expect(alarmed(entries).length / entries.length, alarmed(entries).join('\n')).toBeLessThanOrEqual(most);
  });
  it('reading is told from writing', () => {
    const known = judged.filter(({ effect, got }) => effect !== 'irreversible' && got !== 'irreversible');
    expect(known.filter(({ effect, got }) => effect !== got).map(({ command }) => command)).toEqual([]);
  });
});
