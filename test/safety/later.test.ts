import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArtooError, type ApprovalDecision, type Artoo, type Run } from 'artoo';
import { createFileLedger, createMemoryLedger } from 'artoo/ledger';
import { CountingIds, ManualClock } from 'artoo/testing';
import { afterEach, expect, test } from 'vitest';
import { call, Hands, modelThatCalls, scene } from './scene.js';

const folders: string[] = [];
afterEach(async () => { await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true }))); });

const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
  } catch (error) {
    return ArtooError.is(error) ? error.code : String(error);
  }
  return 'nothing';
};
const parked = async (run: Run): Promise<void> => { expect(await codeOf(run.result)).toBe('ARTOO_APPROVAL_PENDING'); };
const questionIn = async (artoo: Artoo): Promise<string> => (await artoo.pending())[0]!.questions[0]!.approvalId;

test('F42 a question that is put off parks the task without a result, and pending() shows it whole', async () => {
  const hands = new Hands();
  const { artoo, asked } = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { confirm: () => 'later' });
  await parked(artoo.run({ input: 'work' }));
  const [task] = await artoo.pending();
  expect(task).toMatchObject({ status: 'parked', reason: expect.stringContaining('ARTOO_APPROVAL_PENDING'), questions: [{ tool: 'send', target: 'letter', effect: 'irreversible', approvalId: asked[0]!.approvalId }] });
  expect(hands.done).toEqual([]);
  await artoo.close();
});

test.each<[ApprovalDecision, readonly string[], RegExp]>([['allow', ['send letter'], /^Done/], ['deny', [], /\[LAW1\]/], ['allow-for-task', ['send letter'], /^Done/]])('F42 the answer %s takes the task up again, once, in another process', async (decision, done, summary) => {
  const dir = await mkdtemp(join(tmpdir(), 'artoo-later-'));
  folders.push(dir);
  const hands = new Hands();
  const model = modelThatCalls([call('send', 'letter')]);
  const first = scene(model, [hands.tool('send')], { ledger: createFileLedger({ dir }), confirm: () => 'later' });
  const run = first.artoo.run({ input: 'work' });
  await parked(run);
  await first.artoo.close();
  await first.ledger.close?.();
  const calls = model.requests.length;
  const second = scene(model, [hands.tool('send')], { ledger: createFileLedger({ dir }), confirm: () => { throw new Error('nobody may be asked again'); } });
  const answered = await second.artoo.answer(await questionIn(second.artoo), decision);
  expect(answered.taskId).toBe(run.taskId);
  const result = await answered.result;
  expect(hands.done).toEqual(done);
  expect(result.summary).toMatch(summary);
  expect(second.asked).toEqual([]);
  expect(model.requests.slice(0, calls).map(({ role }) => role)).toEqual(['R1', 'R2', 'R3']);
  expect(model.requests.slice(calls).some(({ role }) => role === 'R1')).toBe(false);
  expect(await second.artoo.pending()).toEqual([]);
  await second.artoo.close();
  await second.ledger.close?.();
});

test('F42 the first answer counts: a second one, one to no question and one that is none are refused by name', async () => {
  const hands = new Hands();
  const { artoo } = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { confirm: () => 'later' });
  await parked(artoo.run({ input: 'work' }));
  const id = await questionIn(artoo);
  expect(await codeOf(artoo.answer(id, 'perhaps' as never))).toBe('ARTOO_INVALID_ARGUMENT');
  expect(await codeOf(artoo.answer('no such id', 'allow'))).toBe('ARTOO_APPROVAL_UNKNOWN');
  expect(await codeOf(artoo.answer(id.replace(/0$/, '7'), 'allow'))).toBe('ARTOO_APPROVAL_UNKNOWN');
  expect(await codeOf(artoo.answer('other-task/x/approval/0', 'allow'))).toBe('ARTOO_LEDGER_NOT_FOUND');
  const run = await artoo.answer(id, 'deny');
  expect(await codeOf(artoo.answer(id, 'allow'))).toBe('ARTOO_APPROVAL_UNKNOWN');
  await run.result;
  expect(await codeOf(artoo.answer(id, 'allow'))).toBe('ARTOO_APPROVAL_UNKNOWN');
  expect(hands.done).toEqual([]);
  await artoo.close();
});

test('F42 an answer after its time is refused, and the question is put again on a resume', async () => {
  const hands = new Hands();
  const clock = new ManualClock();
  const decisions: ('later' | 'allow')[] = ['later', 'allow'];
  const { artoo, asked } = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { clock, confirm: () => decisions.shift()!, limits: { approvalMs: 3_600_000 } });
  const run = artoo.run({ input: 'work' });
  await parked(run);
  const id = await questionIn(artoo);
  await clock.advance(3_600_001);
  expect(await codeOf(artoo.answer(id, 'allow'))).toBe('ARTOO_APPROVAL_EXPIRED');
  expect((await artoo.resume(run.taskId).result).directive).toBe('accept');
  expect(asked.map(({ approvalId }) => approvalId)).toEqual([id, id]);
  expect(asked[1]!.expiresAt).toBe(asked[0]!.expiresAt! + 3_600_001);
  expect(hands.done).toEqual(['send letter']);
  await artoo.close();
});

test('F42 a confirmation that never comes is a no once its time is over, and holds nothing until then', async () => {
  const hands = new Hands();
  const clock = new ManualClock();
  const { artoo, asked } = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { clock, confirm: () => new Promise<never>(() => undefined), limits: { approvalMs: 60_000, stallMs: 10_000 } });
  const run = artoo.run({ input: 'work', budget: { timeMs: 5_000 } });
  while (asked.length === 0) await new Promise<void>((resolve) => { setImmediate(resolve); });
  await clock.advance(59_000);
  expect(await artoo.pending()).toMatchObject([{ status: 'running' }]);
  await clock.advance(1_001);
  const result = await run.result;
  expect(result.summary).toContain('nobody answered in time');
  expect(result.usage.elapsedMs).toBeLessThan(5_000);
  expect(hands.done).toEqual([]);
});

test('what can go on goes on before the task is parked, and is not done again afterwards', async () => {
  const hands = new Hands();
  const { artoo } = scene(modelThatCalls([call('send', 'letter')], [call('note', 'one'), call('note', 'two')]), [hands.tool('send'), hands.tool('note', { effect: 'write' })], { confirm: () => 'later' });
  await parked(artoo.run({ input: 'work' }));
  expect(hands.done).toEqual(['note one', 'note two']);
  const result = await (await artoo.answer(await questionIn(artoo), 'allow')).result;
  expect(result.directive).toBe('accept');
  expect(hands.done).toEqual(['note one', 'note two', 'send letter']);
  await artoo.close();
});

test('two questions that are answered at once are both carried out', async () => {
  const hands = new Hands();
  const { artoo, asked } = scene(modelThatCalls([call('send', 'one')], [call('send', 'two')]), [hands.tool('send')], { confirm: () => 'later' });
  await parked(artoo.run({ input: 'work' }));
  const [first, second] = (await artoo.pending())[0]!.questions;
  expect(asked).toHaveLength(2);
  const runs = await Promise.all([artoo.answer(first!.approvalId, 'allow'), artoo.answer(second!.approvalId, 'allow')]);
  expect((await runs[1].result).directive).toBe('accept');
  expect([...hands.done].sort()).toEqual(['send one', 'send two']);
  await artoo.close();
});

test('two questions answered a day apart: the task is parked again in between', async () => {
  const hands = new Hands();
  const { artoo } = scene(modelThatCalls([call('send', 'one')], [call('send', 'two')]), [hands.tool('send')], { confirm: () => 'later' });
  await parked(artoo.run({ input: 'work' }));
  const [first, second] = (await artoo.pending())[0]!.questions;
  await parked(await artoo.answer(first!.approvalId, 'allow'));
  expect(hands.done).toEqual([`send ${first!.target}`]);
  expect((await artoo.pending())[0]!.questions.map(({ approvalId }) => approvalId)).toEqual([second!.approvalId]);
  expect((await (await artoo.answer(second!.approvalId, 'allow')).result).directive).toBe('accept');
  await artoo.close();
});

test('F42 answer() settles a question that confirm still thinks about; what confirm says then is refused and on record', async () => {
  const hands = new Hands();
  let say!: (decision: 'allow') => void;
  const ledger = createMemoryLedger();
  const { artoo, asked } = scene(modelThatCalls([call('send', 'letter'), call('wait', 'a bit')]), [hands.tool('send'), hands.tool('wait', {
    effect: 'read', execute: async () => {
      say('allow');
      while (!(await ledger.read(run.taskId)).some(({ kind }) => kind === 'law')) await new Promise<void>((resolve) => { setImmediate(resolve); });
      return 'ok';
    },
  })], { ledger, confirm: () => new Promise((resolve) => { say = resolve; }) });
  const run = artoo.run({ input: 'work' });
  while (asked.length === 0) await new Promise<void>((resolve) => { setImmediate(resolve); });
  expect(await artoo.answer(asked[0]!.approvalId, 'deny', { reason: 'not on a Sunday' })).toBe(run);
  const result = await run.result;
  expect(result.summary).toContain('[LAW1]');
  expect(hands.done).toEqual([]);
  const lines = await ledger.read(run.taskId);
  expect(lines.filter(({ kind }) => kind === 'approval.answered')).toMatchObject([{ decision: 'deny', reason: 'not on a Sunday' }]);
  expect(lines.filter(({ kind }) => kind === 'law')).toMatchObject([{ law: 1, decision: 'answer refused' }]);
  await artoo.close();
});

test('F49 a yes is void when what it was given to has changed: the call is not made, and a new one is asked about anew', async () => {
  const hands = new Hands();
  let content = 'before';
  const decisions: ('later' | 'allow')[] = ['later', 'allow'];
  const { artoo, asked } = scene(modelThatCalls([call('send', 'letter'), call('send', 'letter')]), [hands.tool('send', { preview: () => `sends: ${content}` })], { confirm: () => decisions.shift()! });
  await parked(artoo.run({ input: 'work' }));
  const id = await questionIn(artoo);
  content = 'after';
  const result = await (await artoo.answer(id, 'allow')).result;
  expect(asked.map(({ preview }) => preview)).toEqual(['sends: before', 'sends: after']);
  expect(asked[1]!.fingerprint).not.toBe(asked[0]!.fingerprint);
  expect(result.directive).toBe('accept');
  expect(hands.done).toEqual(['send letter']);
  await artoo.close();
});

test('a parked task that is aborted by its resumed run ends with a result', async () => {
  const hands = new Hands();
  const { artoo } = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { confirm: () => 'later' });
  const run = artoo.run({ input: 'work' });
  await parked(run);
  const again = artoo.resume(run.taskId);
  again.abort('changed my mind');
  expect(await again.result).toMatchObject({ directive: 'abandon', reason: 'aborted' });
  expect(await artoo.pending()).toEqual([]);
  await artoo.close();
});

test('resumeOnStart takes up what was interrupted and leaves a task alone that waits for an answer', async () => {
  const hands = new Hands();
  const model = modelThatCalls([call('send', 'letter')]);
  const { artoo, asked, ledger } = scene(model, [hands.tool('send')], { confirm: ({ taskId }) => (taskId === 'task-1' ? 'later' : new Promise<never>(() => undefined)) });
  const waiting = artoo.run({ input: 'work' });
  await parked(waiting);
  const interrupted = artoo.run({ input: 'work' });
  while (asked.length < 2) await new Promise<void>((resolve) => { setImmediate(resolve); });
  await artoo.close({ graceMs: 0 });
  const ended = new Promise<string>((resolve) => {
    scene(model, [hands.tool('send')], { ledger, ids: new CountingIds(), resumeOnStart: true, confirm: () => 'deny', onEvent: ({ type, taskId }) => { if (type === 'FinalResult') resolve(taskId); } });
  });
  expect(await ended).toBe(interrupted.taskId);
  expect((await ledger.read(waiting.taskId)).some(({ kind }) => kind === 'task.resume')).toBe(false);
});

test('a task that is resumed at once after it was parked goes on: what is left of the parked run is not its own', async () => {
  const hands = new Hands();
  const decisions: ('later' | 'allow')[] = ['later', 'allow'];
  const { artoo } = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { confirm: () => decisions.shift()! });
  const run = artoo.run({ input: 'work' });
  const again = await run.result.catch(() => artoo.resume(run.taskId).result);
  expect(again.directive).toBe('accept');
  expect(hands.done).toEqual(['send letter']);
  await artoo.close();
});

test.each([['in time', 0, 0], ['too late', 3_600_001, 1]])('P7 a yes on record that is acted on %s', async (_name, later, questions) => {
  const hands = new Hands();
  const clock = new ManualClock();
  const model = modelThatCalls([call('send', 'letter')]);
  const first = scene(model, [hands.tool('send')], { clock, confirm: () => 'later', limits: { approvalMs: 3_600_000 } });
  const run = first.artoo.run({ input: 'work' });
  await parked(run);
  const { approvalId, fingerprint } = (await first.artoo.pending())[0]!.questions[0]!;
  // The process dies right after the answer was kept.
  await first.ledger.append({ v: 1, taskId: run.taskId, at: clock.now(), elapsedMs: 0, kind: 'approval.answered', approvalId, fingerprint, decision: 'allow' });
  await first.artoo.close();
  await clock.advance(later);
  const second = scene(model, [hands.tool('send')], { clock, ledger: first.ledger, confirm: () => 'deny' });
  await second.artoo.resume(run.taskId).result;
  expect(second.asked).toHaveLength(questions);
  expect(hands.done).toEqual(questions === 0 ? ['send letter'] : []);
  await second.artoo.close();
});
