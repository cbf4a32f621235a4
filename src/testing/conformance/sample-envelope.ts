import type { Envelope } from '../../contracts/envelope.js';

/** What a sample message may differ in. */
export interface SampleOptions {
  readonly text?: string;
  readonly taskId?: string;
  readonly from?: Envelope['from'];
  readonly to?: Envelope['to'];
}

/** A valid Progress message; `number` makes its id. Nothing depends on its type. */
export function sampleProgress(number: number, options: SampleOptions = {}): Envelope<'Progress'> {
  const { text = `step ${number}`, taskId = 'task-1', from = 'R1', to = 'user' } = options;
  return { v: 1, id: `${taskId}/${number}`, type: 'Progress', from, to, taskId, at: 1_700_000_000_000 + number, integrity: 'trusted', payload: { text } };
}

/** A valid LawEvent, as another type. */
export function sampleLawEvent(number: number, options: Omit<SampleOptions, 'text'> = {}): Envelope<'LawEvent'> {
  const { taskId = 'task-1', from = 'R3', to = 'all' } = options;
  return { v: 1, id: `${taskId}/law-${number}`, type: 'LawEvent', from, to, taskId, at: 1_700_000_000_000 + number, integrity: 'trusted', payload: { law: 1, what: 'rm', decision: 'refused' } };
}
