import { describe, expect, it } from 'vitest';
import { messageLine, numbers } from '../../src/cli/message-line.js';
import { permissionFrom } from '../../src/cli/permission.js';
import { jsonText, oneLine, visible } from '../../src/cli/plain-text.js';
import { readArguments, type CommandOptions } from '../../src/cli/arguments.js';
import { chooseModels } from '../../src/cli/models.js';
import type { Terminal } from '../../src/cli/terminal.js';
import type { ApprovalQuestion } from 'artoo';

const options = (...words: string[]): CommandOptions => readArguments(words).options;

describe('what a terminal is shown', () => {
  it('characters that act or hide are written out', () => expect(visible('a\u001b[2Jb\u202ec\u200bd\te\nf')).toBe('a<U+001B>[2Jb<U+202E>c<U+200B>d\te\nf'));
  it('JSON stays the same value and hides nothing', () => {
    const text = jsonText({ a: 'x\u202ey\u{e0041}\u007f\u001b' });
    expect(text).not.toMatch(/[\u202e\u007f\u001b]|[\u{e0000}-\u{e0fff}]/u);
    expect(JSON.parse(text)).toEqual({ a: 'x\u202ey\u{e0041}\u007f\u001b' });
  });
  it('a line is measured in columns: wide characters count twice (#20, #40, #71)', () => {
    expect(oneLine('日本語日本語', 7)).toBe('日本語…');
    expect(oneLine('abcdefgh', 8)).toBe('abcdefgh');
    expect(oneLine('a\nb\u0007', 80)).toBe('a b<U+0007>');
  });
  it('the gradient has its arrow, and none where the shown number is zero', () => {
    const loss = { D: 0.5, P: 0, Omega: 0.2, L: 0.38 };
    expect(numbers(loss, -0.3)).toBe('D 0.50 P 0.00 Ω 0.20 L 0.38 ∇L -0.30↓');
    expect(numbers(loss, 0.3)).toContain('∇L 0.30↑');
    expect(numbers(loss, -1e-12)).toContain('∇L 0.00→');
  });
  it('progress and memory traffic are shown with --verbose alone', () => {
    const progress = { v: 1, id: '1', type: 'Progress', from: 'R1', to: 'user', taskId: 't', at: 0, integrity: 'trusted', payload: { text: 'Reading.' } } as const;
    expect([messageLine(progress, false), messageLine(progress, true)]).toEqual([undefined, 'R1 → user Progress: Reading.']);
  });
});

describe('asking for permission', () => {
  const question = { tool: 'writeFile', target: 'a.md', effect: 'irreversible', reason: 'it cannot be undone', preview: 'line\u202e one' } as ApprovalQuestion;
  const terminalWith = (answers: (string | undefined)[]): { said: string[]; terminal: Terminal } => {
    const said: string[] = [];
    return { said, terminal: { canAsk: true, say: (text: string) => said.push(text), ask: () => Promise.resolve(answers.shift()) } as unknown as Terminal };
  };
  it.each([[['y'], 'allow'], [['t'], 'allow-for-task'], [['n'], 'deny'], [[''], 'deny'], [[undefined], 'deny'], [['maybe', 'yes'], 'allow']] as const)('%j means %s', async (answers, decision) => {
    expect(await permissionFrom(options(), terminalWith([...answers]).terminal)(question)).toBe(decision);
  });
  it('shows tool, target and preview', async () => {
    const { said, terminal } = terminalWith(['n']);
    await permissionFrom(options(), terminal)(question);
    expect(said.join('')).toMatch(/tool: +writeFile\n +target: a\.md\n[\s\S]*\| line/);
  });
});

describe('models from the environment', () => {
  const names = (environment: Record<string, string>, ...words: string[]): string[] => {
    const { brain, tool } = chooseModels(options(...words), environment);
    return [brain.model, tool.model];
  };
  it('brain default is deepseek-reasoner, the tool tier falls back to the brain', () => expect(names({ BRAIN_API_KEY: 'k' })).toEqual(['deepseek-reasoner', 'deepseek-reasoner']));
  it('each tier has its own; OPENAI_* fills what is missing', () => {
    expect(names({ BRAIN_API_KEY: 'k', BRAIN_MODEL: 'big', TOOL_MODEL: 'small' })).toEqual(['big', 'small']);
    expect(names({ OPENAI_API_KEY: 'k', OPENAI_MODEL: 'gpt' })).toEqual(['gpt', 'gpt']);
    expect(names({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' })).toEqual(['deepseek-reasoner', 'deepseek-reasoner']);
  });
  it('--model is for all roles; --offline wins over the environment', () => {
    expect(names({ BRAIN_API_KEY: 'k', TOOL_MODEL: 'small' }, '--model', 'one')).toEqual(['one', 'one']);
    expect(names({ BRAIN_API_KEY: 'k' }, '--offline')).toEqual(['artoo-offline-rules', 'artoo-offline-rules']);
  });
});
