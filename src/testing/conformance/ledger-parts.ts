import type { Ledger, LedgerEvent, LedgerLine } from '../../contracts/ledger.js';
import { frozenCopy } from '../frozen-copy.js';

/**
 * Makes an empty ledger; given one, which the suite has closed, a ledger on what that one kept. Adapters that keep
 * nothing ignore the argument and are run with `supports: { reopen: 'why not' }`.
 */
export type LedgerFactory = (from?: Ledger) => Ledger | Promise<Ledger>;

export const START = 1_700_000_000_000;

/** The frame of a sample event; `number` sets its times. */
export function sampleFrame(taskId: string, number: number): { readonly v: number; readonly taskId: string; readonly at: number; readonly elapsedMs: number } {
  return { v: 1, taskId, at: START + number, elapsedMs: number };
}

export function lawEvent(taskId: string, number: number, what = `event ${number}`): LedgerEvent {
  return Object.freeze({ ...sampleFrame(taskId, number), kind: 'law', law: 1, what, decision: 'refused' });
}

/** A tool outcome: the kind of line that carries any value. */
export function outcomeEvent(taskId: string, number: number, value: unknown): LedgerEvent {
  return Object.freeze({
    ...sampleFrame(taskId, number), kind: 'tool.outcome', effect: 'read' as const, value,
    address: Object.freeze({ role: 'R3', kind: 'tool', ordinal: number, subtaskId: 's1' }),
  });
}

export function endEvent(taskId: string, number: number): LedgerEvent {
  return Object.freeze({ ...sampleFrame(taskId, number), kind: 'task.end', directive: 'success' });
}

export function beginEvent(taskId: string, number: number): LedgerEvent {
  return frozenCopy({
    ...sampleFrame(taskId, number), kind: 'task.begin', library: '0.0.0', date: '2024-01-01', nonce: 'nonce-1',
    request: { taskId, input: 'count the lines', nested: { list: [1, 2, { three: 3 }] } }, configuration: {},
  });
}

/** One line of each kind, as a short run writes them. */
export function sampleRun(taskId: string): readonly LedgerEvent[] {
  const llm = { role: 'R2', kind: 'llm', ordinal: 1 } as const;
  const tool = { role: 'R3', kind: 'tool', ordinal: 1, subtaskId: 's1' } as const;
  const bodies = [
    { kind: 'llm.call', address: llm, attempt: 1, model: 'm', hash: 'h1', reserved: { tokens: 100, money: 0.5 }, request: { system: 'plan', messages: [] } },
    { kind: 'llm.reply', address: llm, attempt: 1, durationMs: 12.5, reply: { text: '{"a": "ä€😀"}', finishReason: 'stop', usage: { inputTokens: 3, outputTokens: 4 } } },
    { kind: 'subtask.begin', subtaskId: 's1' },
    { kind: 'tool.intent', address: tool, tool: 'count', effect: 'write', target: 'a\nb\u2028.txt', hash: 'h2', input: { path: 'a.txt', n: null } },
    { kind: 'tool.outcome', address: tool, effect: 'write', error: { code: 'ENOENT', message: 'no such file', details: { path: 'a.txt' } } },
    { kind: 'effect', address: { role: 'R2', kind: 'clock', ordinal: 1 }, hash: 'h3', value: 42 },
    { kind: 'approval.asked', approvalId: 'approval-1', fingerprint: 'f', expiresAt: 2_000_000_000_000 },
    { kind: 'approval.answered', approvalId: 'approval-1', fingerprint: 'f', decision: 'deny', reason: 'not today' },
    { kind: 'verdicts', role: 'R4a', subtaskId: 's1', attempt: 1, verdicts: [{ criterion: 'c', verdict: 'pass' }] },
    { kind: 'ggs.decision', round: 1, input: { D: 0.5 }, decision: { directive: 'refine' }, hyperparameters: {} },
    { kind: 'law', law: 1, what: 'rm', decision: 'refused' },
    { kind: 'subtask.end', subtaskId: 's1', status: 'matched' },
    { kind: 'stop', reason: 'aborted', message: 'by hand' },
  ] as const;
  const middle = bodies.map((body, index) => frozenCopy({ ...sampleFrame(taskId, index + 2), ...body }) as LedgerEvent);
  return [beginEvent(taskId, 1), ...middle, endEvent(taskId, bodies.length + 2)];
}

/** The event of a line: without its place, and without what an adapter adds for itself. */
export function eventsOf(lines: readonly LedgerLine[], like: readonly LedgerEvent[]): readonly unknown[] {
  return lines.map((line, index) => {
    const keys = Object.keys(like[index] ?? line);
    return Object.fromEntries(keys.map((key) => [key, (line as unknown as Record<string, unknown>)[key]]));
  });
}
