import { ArtooError, type ApprovalDecision, type Artoo, type Ledger, type Run } from 'artoo';
import type { LedgerLine } from 'artoo/contracts';
import { createMemoryLedger } from 'artoo/ledger';
import { expect, test } from 'vitest';
import { call, Hands, modelThatCalls, scene } from './scene.js';

/** A ledger that keeps each line some turns of the loop after it was given. */
function slowLedger(turns: (kind: string) => number): { readonly ledger: Ledger; readonly kept: Ledger } {
  const kept = createMemoryLedger();
  let last = Promise.resolve();
  const wait = async (count: number): Promise<void> => { for (let turn = 0; turn < count; turn++) await new Promise<void>((resolve) => { setImmediate(resolve); }); };
  return {
    kept,
    ledger: {
      append: (event) => (last = last.then(() => wait(turns(event.kind))).then(() => { void kept.append(event); })),
      read: (taskId) => last.then(() => wait(turns('read'))).then(() => kept.read(taskId)),
      list: () => last.then(() => kept.list()),
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve); });
const until = async (what: () => boolean): Promise<void> => { while (!what()) await turn(); };
const codeOf = (promise: Promise<unknown>): Promise<string> => promise.then(() => 'nothing', (error: unknown) => (ArtooError.is(error) ? error.code : String(error)));
const answersIn = (lines: readonly LedgerLine[]): string[] => lines.flatMap((line) => (line.kind === 'approval.answered' ? [line.decision] : []));

/** A run whose question confirm still thinks about, over a ledger that takes its time with answers. */
async function undecided() {
  const hands = new Hands();
  const { ledger, kept } = slowLedger((kind) => (kind === 'approval.answered' ? 4 : 0));
  let say!: (decision: 'allow') => void;
  const { artoo, asked } = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { ledger, confirm: () => new Promise((resolve) => { say = resolve; }) });
  const run = artoo.run({ input: 'work' });
  await until(() => asked.length > 0);
  return { artoo, asked, hands, kept, run, say };
}

test('of artoo.answer() and confirm the first on record counts, however long the record takes', async () => {
  for (const gap of [0, 1, 2, 3, 5, 8]) {
    const { artoo, asked, hands, kept, run, say } = await undecided();
    const answered = artoo.answer(asked[0]!.approvalId, 'deny');
    for (let count = 0; count < gap; count++) await turn();
    say('allow');
    expect(await answered).toBe(run);
    const result = await run.result;
    expect({ gap, answers: answersIn(await kept.read(run.taskId)), done: hands.done }).toEqual({ gap, answers: ['deny'], done: [] });
    expect(result.summary).toContain('[LAW1]');
    await artoo.close();
  }
});

test('of confirm and artoo.answer() the first counts the other way round as well: the second is refused by name', async () => {
  const outcomes = new Set<string>();
  for (let gap = 0; gap < 12; gap++) {
    const { artoo, asked, hands, kept, run, say } = await undecided();
    say('allow');
    for (let count = 0; count < gap; count++) await Promise.resolve();
    const code = await codeOf(artoo.answer(asked[0]!.approvalId, 'deny'));
    await run.result;
    const answers = answersIn(await kept.read(run.taskId));
    outcomes.add(`${code} ${answers.join()} ${hands.done.join()}`);
    await artoo.close();
  }
  for (const outcome of outcomes) expect(['ARTOO_APPROVAL_UNKNOWN allow send letter', 'nothing deny ']).toContain(outcome);
});

test.each<[string, (ask: (decision: ApprovalDecision) => Promise<Run>) => unknown, readonly string[]]>([
  ['answer and then later', (ask) => { void ask('allow'); return 'later'; }, ['send letter']],
  ['answer, awaited, and then later', async (ask) => { await ask('allow'); return 'later'; }, ['send letter']],
  ['answer, awaited, and then another answer', async (ask) => { await ask('deny'); return 'allow'; }, []],
  ['answer and then throw', (ask) => { void ask('allow'); throw new Error('oops'); }, ['send letter']],
])('a host may answer from inside confirm: %s', async (_, confirm, done) => {
  for (const turns of [0, 1, 3]) {
    const hands = new Hands();
    const { ledger, kept } = slowLedger(() => turns);
    let artoo!: Artoo;
    ({ artoo } = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { ledger, confirm: ((question: { approvalId: string }) => confirm((decision) => artoo.answer(question.approvalId, decision))) as never }));
    const run = artoo.run({ input: 'work' });
    const ended = await codeOf(run.result);
    expect({ turns, ended, done: hands.done, answers: answersIn(await kept.read(run.taskId)) }).toEqual({ turns, ended: 'nothing', done, answers: [done.length > 0 ? 'allow' : 'deny'] });
    await artoo.close();
  }
});

test('an answer that meets the moment at which confirm says later is heard, at any number of steps between them', async () => {
  for (let gap = 0; gap < 20; gap++) {
    const hands = new Hands();
    let say!: (decision: 'later') => void;
    const { artoo, asked } = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { confirm: () => new Promise((resolve) => { say = resolve; }) });
    artoo.run({ input: 'work' });
    await until(() => asked.length > 0);
    say('later');
    for (let count = 0; count < gap; count++) await Promise.resolve();
    const answered = await artoo.answer(asked[0]!.approvalId, 'allow');
    expect({ gap, ended: await codeOf(answered.result), done: hands.done }).toEqual({ gap, ended: 'nothing', done: ['send letter'] });
    await artoo.close();
  }
});

test('answer() and resume() at once, at any distance, are one run', async () => {
  for (let gap = 0; gap < 24; gap++) {
    const hands = new Hands();
    const { ledger } = slowLedger(() => 1);
    const { artoo } = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { ledger, confirm: () => 'later' });
    const run = artoo.run({ input: 'work' });
    expect(await codeOf(run.result)).toBe('ARTOO_APPROVAL_PENDING');
    const id = (await artoo.pending())[0]!.questions[0]!.approvalId;
    const answering = artoo.answer(id, 'allow');
    for (let count = 0; count < gap; count++) await (gap > 12 ? turn() : Promise.resolve());
    const resumed = artoo.resume(run.taskId);
    const answered = await answering;
    const results = await Promise.all([codeOf(answered.result), codeOf(resumed.result)]);
    expect({ gap, results, done: hands.done }).toEqual({ gap, results: ['nothing', 'nothing'], done: ['send letter'] });
    expect((await ledger.read(run.taskId)).filter(({ kind }) => kind === 'task.resume'), `gap ${gap}`).toHaveLength(1);
    await artoo.close();
  }
});

test('resume() of a run that has only just been asked for is that run', async () => {
  for (const turns of [0, 1, 3]) {
    for (let gap = 0; gap < 8; gap++) {
      const hands = new Hands();
      const { ledger } = slowLedger(() => turns);
      const { artoo } = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { ledger: { ...ledger, acquire: turn } });
      const run = artoo.run({ input: 'work' });
      for (let count = 0; count < gap; count++) await Promise.resolve();
      const again = artoo.resume(run.taskId);
      expect({ turns, gap, results: await Promise.all([codeOf(run.result), codeOf(again.result)]), done: hands.done }).toEqual({ turns, gap, results: ['nothing', 'nothing'], done: ['send letter'] });
      await artoo.close();
    }
  }
});

test('of two answers at once to one question the first counts, whether its task runs or rests', async () => {
  for (const rests of [true, false]) {
    const hands = new Hands();
    const { ledger, kept } = slowLedger(() => 2);
    const { artoo, asked } = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { ledger, confirm: () => (rests ? 'later' : new Promise<never>(() => undefined)) });
    const run = artoo.run({ input: 'work' });
    if (rests) expect(await codeOf(run.result)).toBe('ARTOO_APPROVAL_PENDING');
    else await until(() => asked.length > 0);
    const { approvalId } = asked[0]!;
    const [first, second] = await Promise.allSettled([artoo.answer(approvalId, 'deny'), artoo.answer(approvalId, 'allow')]);
    expect({ rests, second }).toMatchObject({ second: { status: 'rejected', reason: { code: 'ARTOO_APPROVAL_UNKNOWN', message: expect.stringContaining('answered before, with deny') } } });
    if (first.status === 'rejected') throw first.reason;
    await first.value.result;
    expect({ rests, answers: answersIn(await kept.read(run.taskId)), done: hands.done }).toEqual({ rests, answers: ['deny'], done: [] });
    await artoo.close();
  }
});

test('an answer that can be none is refused by name and leaves the question open', async () => {
  const hands = new Hands();
  const { artoo, asked } = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { confirm: () => 'later' });
  expect(await codeOf(artoo.run({ input: 'work' }).result)).toBe('ARTOO_APPROVAL_PENDING');
  const { approvalId } = asked[0]!;
  const circle: { self?: unknown } = {};
  circle.self = circle;
  for (const decision of [undefined, null, 7n, circle, Symbol('yes'), 'later', 'toString']) expect(await codeOf(artoo.answer(approvalId, decision as never))).toBe('ARTOO_INVALID_ARGUMENT');
  for (const reason of [null, 5, circle]) expect(await codeOf(artoo.answer(approvalId, 'deny', { reason: reason as never }))).toBe('ARTOO_INVALID_ARGUMENT');
  for (const id of [undefined, null, 7n, circle, '', '/x/approval/0', 'x'.repeat(1e6), '__proto__/x/approval/0']) expect(await codeOf(artoo.answer(id as never, 'allow'))).toMatch(/^ARTOO_(APPROVAL_UNKNOWN|LEDGER_NOT_FOUND)$/);
  expect((await artoo.pending())[0]!.questions).toHaveLength(1);
  expect((await (await artoo.answer(approvalId, 'allow', undefined)).result).directive).toBe('accept');
  await artoo.close();
});

test('a ledger that fails while an answer is recorded says so, and the question stays open', async () => {
  const hands = new Hands();
  const kept = createMemoryLedger();
  let broken = false;
  const ledger: Ledger = { append: (event) => { if (broken) throw new Error('EIO'); return kept.append(event); }, read: (taskId) => kept.read(taskId), list: () => kept.list() };
  const { artoo, asked } = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { ledger, confirm: () => 'later' });
  expect(await codeOf(artoo.run({ input: 'work' }).result)).toBe('ARTOO_APPROVAL_PENDING');
  broken = true;
  expect(await codeOf(artoo.answer(asked[0]!.approvalId, 'allow'))).toBe('ARTOO_LEDGER_WRITE');
  broken = false;
  expect((await (await artoo.answer(asked[0]!.approvalId, 'allow')).result).directive).toBe('accept');
  expect(hands.done).toEqual(['send letter']);
  await artoo.close();
});

test('two artoos over one ledger object: a task that one of them runs can neither be answered nor resumed by the other', async () => {
  const hands = new Hands();
  const ledger = createMemoryLedger();
  const model = modelThatCalls([call('send', 'letter')]);
  let say!: (decision: 'allow') => void;
  const first = scene(model, [hands.tool('send')], { ledger, confirm: () => new Promise((resolve) => { say = resolve; }) });
  const second = scene(model, [hands.tool('send')], { ledger });
  const run = first.artoo.run({ input: 'work' });
  await until(() => first.asked.length > 0);
  const { approvalId } = first.asked[0]!;
  expect(await codeOf(second.artoo.answer(approvalId, 'allow'))).toBe('ARTOO_LEDGER_LOCKED');
  expect(await codeOf(second.artoo.resume(run.taskId).result)).toBe('ARTOO_LEDGER_LOCKED');
  say('allow');
  expect((await run.result).directive).toBe('accept');
  expect(hands.done).toEqual(['send letter']);
  await Promise.all([first.artoo.close(), second.artoo.close()]);
});

test('the moment a task is parked its question may be answered by another artoo over the same ledger', async () => {
  const hands = new Hands();
  const ledger = createMemoryLedger();
  const model = modelThatCalls([call('send', 'letter')]);
  const first = scene(model, [hands.tool('send')], { ledger, confirm: () => 'later' });
  const second = scene(model, [hands.tool('send')], { ledger });
  const run = first.artoo.run({ input: 'work' });
  const answered = await run.result.catch(() => second.artoo.answer(first.asked[0]!.approvalId, 'allow')) as Run;
  expect((await answered.result).directive).toBe('accept');
  expect(hands.done).toEqual(['send letter']);
  await Promise.all([first.artoo.close(), second.artoo.close()]);
});
