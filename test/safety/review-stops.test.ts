import { ArtooError, type Artoo, type Envelope, type Ledger, type Run } from 'artoo';
import { createFileLedger, createMemoryLedger } from 'artoo/ledger';
import { ManualClock } from 'artoo/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { call, Hands, modelThatCalls, scene } from './scene.js';

const folders: string[] = [];
afterEach(async () => { await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true }))); });
const folder = async (): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), 'artoo-review-'));
  folders.push(dir);
  return dir;
};
const turn = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve); });
const until = async (what: () => boolean): Promise<void> => { while (!what()) await turn(); };
const codeOf = (promise: Promise<unknown>): Promise<string> => promise.then(() => 'nothing', (error: unknown) => (ArtooError.is(error) ? error.code : String(error)));

describe('P14 a stop that is on record', () => {
  /** Keeps nothing more once a stop was recorded: the process dies right there. */
  const diesAtStop = (kept: Ledger): Ledger => {
    let dead = false;
    return {
      append: (event) => {
        if (dead) throw new Error('this process is dead');
        dead = event.kind === 'stop';
        return kept.append(event);
      },
      read: (taskId) => kept.read(taskId), list: () => kept.list(),
    };
  };

  test.each([['irreversible', 'not done'], ['irreversible', 'unknown'], ['write', 'not done'], ['read', 'not done']] as const)('starts no %s call again that was under way (probe: %s)', async (effect, probed) => {
    const kept = createMemoryLedger();
    const hands = new Hands();
    let run!: Run;
    const first = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send', { effect, execute: async () => { run.abort('enough'); return new Promise(() => undefined); } })], { ledger: diesAtStop(kept) });
    run = first.artoo.run({ input: 'work' });
    expect(await codeOf(run.result)).not.toBe('nothing');
    const second = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send', { effect, probe: async () => probed })], { ledger: kept });
    const result = await second.artoo.resume(run.taskId).result;
    expect(hands.done).toEqual([]);
    expect(result).toMatchObject({ directive: 'abandon', reason: 'aborted' });
    if (effect !== 'read') expect(result.lawEvents).toContainEqual(expect.objectContaining({ law: 0, decision: 'in doubt', tool: 'send', target: 'letter' }));
    await second.artoo.close();
  });
});

describe('P4 a call that was under way when the process died', () => {
  /** Keeps nothing more once an intent was recorded. */
  const diesAtIntent = (kept: Ledger): Ledger => {
    let dead = false;
    return {
      append: (event) => {
        if (dead) throw new Error('this process is dead');
        dead = event.kind === 'tool.intent';
        return kept.append(event);
      },
      read: (taskId) => kept.read(taskId), list: () => kept.list(),
    };
  };

  test.each<[string, () => Promise<never>]>([
    ['throws', () => Promise.reject(new Error('no idea'))],
    ['never answers', () => new Promise<never>(() => undefined)],
  ])('stays in doubt when its probe %s: the run goes on and ends', async (_, probe) => {
    const kept = createMemoryLedger();
    const first = scene(modelThatCalls([call('send', 'letter')]), [new Hands().tool('send')], { ledger: diesAtIntent(kept) });
    const run = first.artoo.run({ input: 'work' });
    expect(await codeOf(run.result)).toBe('ARTOO_LEDGER_WRITE');
    const hands = new Hands();
    const clock = new ManualClock();
    let probed = 0;
    const second = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send', { probe: () => { probed += 1; return probe(); } })], { ledger: kept, clock, confirm: () => 'deny', limits: { callTimeoutMs: 500 } });
    const resumed = second.artoo.resume(run.taskId);
    await until(() => probed > 0);
    const ended = resumed.result.then(() => true);
    while (!(await Promise.race([ended, clock.advance(100_000).then(turn).then(() => false)])));
    expect((await kept.read(run.taskId)).some((line) => line.kind === 'tool.outcome' && line.error?.code === 'in-doubt')).toBe(true);
    expect(hands.done).toEqual([]);
    await second.artoo.close();
  });
});

describe('a question that is put off', () => {
  test('waits for what else of the task is still looked into, such as an input that is validated elsewhere', async () => {
    const hands = new Hands();
    const slow = hands.tool('note', { effect: 'write' });
    const validate: typeof slow.validate = async (input) => { for (let count = 0; count < 50; count++) await turn(); return slow.validate(input); };
    const { artoo } = scene(modelThatCalls([call('send', 'letter')], [call('note', 'one')]), [hands.tool('send'), { ...slow, validate }], { confirm: () => 'later' });
    expect(await codeOf(artoo.run({ input: 'work' }).result)).toBe('ARTOO_APPROVAL_PENDING');
    expect(hands.done).toEqual(['note one']);
    await artoo.close();
  });

  test('close() parks it at once, waits for no grace and asks nobody again', async () => {
    const clock = new ManualClock();
    const hands = new Hands();
    const { artoo, asked, ledger } = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { clock, confirm: () => 'later' });
    const run = artoo.run({ input: 'work' });
    expect(await codeOf(run.result)).toBe('ARTOO_APPROVAL_PENDING');
    await artoo.close();
    expect((await ledger.list())[0]).toMatchObject({ status: 'parked' });
    expect(asked).toHaveLength(1);
    expect(await codeOf(artoo.answer(asked[0]!.approvalId, 'allow'))).toBe('ARTOO_CLOSED');
    expect((await artoo.pending())[0]!.questions).toHaveLength(1);
    expect((await ledger.list())[0]).toMatchObject({ status: 'parked' });
  });

  test('close() while confirm thinks lets the task rest with its question open, and an answer elsewhere takes it up', async () => {
    const hands = new Hands();
    const first = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { confirm: () => new Promise<never>(() => undefined) });
    const run = first.artoo.run({ input: 'work' });
    await until(() => first.asked.length > 0);
    await first.artoo.close({ graceMs: 0 });
    expect(await codeOf(run.result)).toBe('ARTOO_CLOSED');
    const second = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { ledger: first.ledger });
    const [task] = await second.artoo.pending();
    expect((await (await second.artoo.answer(task!.questions[0]!.approvalId, 'allow')).result).directive).toBe('accept');
    expect(second.asked).toEqual([]);
    expect(hands.done).toEqual(['send letter']);
    await second.artoo.close();
  });

  test('an answer and a close at the same time: the answer is on record or refused by name, and nothing is done twice', async () => {
    for (let gap = 0; gap < 14; gap++) {
      const hands = new Hands();
      const first = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { confirm: () => 'later' });
      expect(await codeOf(first.artoo.run({ input: 'work' }).result)).toBe('ARTOO_APPROVAL_PENDING');
      const { approvalId, taskId } = first.asked[0]!;
      const answering = first.artoo.answer(approvalId, 'allow').then((run) => codeOf(run.result), (error: ArtooError) => error.code);
      for (let count = 0; count < gap; count++) await Promise.resolve();
      await first.artoo.close({ graceMs: 0 });
      const ended = await answering;
      const second = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { ledger: first.ledger });
      const [task] = await second.artoo.pending();
      const question = task?.questions[0];
      if (question) await (await second.artoo.answer(question.approvalId, 'allow')).result;
      else await second.artoo.resume(taskId).result;
      // Closed between intent and outcome, the call is in doubt and not repeated unasked.
      const inDoubt = (await first.ledger.read(taskId)).some((line) => line.kind === 'tool.outcome' && line.error?.code === 'in-doubt');
      expect({ gap, ended: ['nothing', 'ARTOO_CLOSED'].includes(ended), done: hands.done }).toEqual({ gap, ended: true, done: inDoubt ? [] : ['send letter'] });
      await second.artoo.close();
    }
  });

  test('abort() of the task while a question is open and another part works ends it with a result', async () => {
    const hands = new Hands();
    let started = false;
    const { artoo, asked } = scene(modelThatCalls([call('send', 'letter')], [call('wait', 'long')]), [hands.tool('send'), hands.tool('wait', { effect: 'read', execute: async (_: never, { signal }: { signal: AbortSignal }) => { started = true; return new Promise((_resolve, reject) => { signal.addEventListener('abort', () => { reject(new Error('stopped')); }); }); } } as never)], { confirm: () => 'later' });
    const run = artoo.run({ input: 'work' });
    await until(() => asked.length > 0 && started);
    run.abort('enough');
    expect(await run.result).toMatchObject({ directive: 'abandon', reason: 'aborted' });
    expect(await artoo.pending()).toEqual([]);
    expect(await codeOf(artoo.answer(asked[0]!.approvalId, 'allow'))).toBe('ARTOO_APPROVAL_UNKNOWN');
    expect(hands.done).toEqual([]);
    await artoo.close();
  });

  test('a put-off question in a correction attempt and in a second round is answered like any other', async () => {
    const hands = new Hands();
    const model = modelThatCalls([call('send', 'one'), call('send', 'two'), call('send', 'three')]);
    const { artoo } = scene(model, [hands.tool('send')], { confirm: () => 'later' });
    let run = artoo.run({ input: 'work' });
    for (let asked = 0; asked < 3; asked++) {
      expect(await codeOf(run.result)).toBe('ARTOO_APPROVAL_PENDING');
      const [task] = await artoo.pending();
      expect(task!.questions).toHaveLength(1);
      run = await artoo.answer(task!.questions[0]!.approvalId, 'allow');
    }
    expect((await run.result).directive).toBe('accept');
    expect(hands.done).toEqual(['send one', 'send two', 'send three']);
    await artoo.close();
  });

  test('a question that is put again after its time shows in pending() how long it is open now', async () => {
    const hands = new Hands();
    const clock = new ManualClock();
    const { artoo, asked } = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { clock, confirm: () => 'later', limits: { approvalMs: 1_000 } });
    const run = artoo.run({ input: 'work' });
    expect(await codeOf(run.result)).toBe('ARTOO_APPROVAL_PENDING');
    await clock.advance(1_001);
    expect(await codeOf(artoo.resume(run.taskId).result)).toBe('ARTOO_APPROVAL_PENDING');
    expect((await artoo.pending())[0]!.questions).toMatchObject([{ expiresAt: asked[1]!.expiresAt }]);
    expect(asked[1]!.expiresAt).toBeGreaterThan(asked[0]!.expiresAt!);
    await artoo.close();
  });
});

describe('over files', () => {
  test('a task that another ledger of the same process takes over is lost to the first at its next line, and nothing is done twice', async () => {
    const dir = await folder();
    const hands = new Hands();
    let say!: (decision: 'allow') => void;
    const ledgers = [createFileLedger({ dir, fsync: 'always' }), createFileLedger({ dir, fsync: 'always' })] as const;
    const first = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { ledger: ledgers[0], confirm: () => new Promise((resolve) => { say = resolve; }) });
    const second = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { ledger: ledgers[1] });
    const run = first.artoo.run({ input: 'work' });
    await until(() => first.asked.length > 0);
    const { approvalId } = first.asked[0]!;
    const taken = await second.artoo.answer(approvalId, 'allow');
    say('allow');
    expect(await codeOf(run.result)).toBe('ARTOO_LEDGER_LOCKED');
    expect((await taken.result).directive).toBe('accept');
    expect(await codeOf(first.artoo.answer(approvalId, 'allow'))).toBe('ARTOO_APPROVAL_UNKNOWN');
    expect(hands.done).toEqual(['send letter']);
    await Promise.all([first.artoo.close(), second.artoo.close()]);
    await Promise.all(ledgers.map((ledger) => ledger.close()));
  });

  test.each(['always', 'intent', 'never'] as const)('the moment run.result says that the task waits, it may be answered, here and from another folder handle (fsync %s)', async (fsync) => {
    for (const elsewhere of [false, true]) {
      const dir = await folder();
      const hands = new Hands();
      const ledgers = [createFileLedger({ dir, fsync }), createFileLedger({ dir, fsync })] as const;
      const first = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { ledger: ledgers[0], confirm: () => 'later' });
      const second = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { ledger: ledgers[1] });
      const who: Artoo = elsewhere ? second.artoo : first.artoo;
      const answered = await first.artoo.run({ input: 'work' }).result.catch(() => who.answer(first.asked[0]!.approvalId, 'allow')) as Run;
      expect({ elsewhere, ended: await codeOf(answered.result), done: hands.done }).toEqual({ elsewhere, ended: 'nothing', done: ['send letter'] });
      await Promise.all([first.artoo.close(), second.artoo.close()]);
      await Promise.all(ledgers.map((ledger) => ledger.close()));
    }
  });

  test('an answer or a resume that is refused leaves the task free for others', async () => {
    const dir = await folder();
    const hands = new Hands();
    const ledgers = [createFileLedger({ dir }), createFileLedger({ dir })] as const;
    const first = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { ledger: ledgers[0], confirm: () => 'later' });
    const second = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { ledger: ledgers[1] });
    expect(await codeOf(second.artoo.resume('task-1').result)).toBe('ARTOO_LEDGER_NOT_FOUND');
    expect(await codeOf(second.artoo.answer('task-1/x/approval/0', 'allow'))).toBe('ARTOO_LEDGER_NOT_FOUND');
    const run = first.artoo.run({ input: 'work' });
    expect(await codeOf(run.result)).toBe('ARTOO_APPROVAL_PENDING');
    expect(await codeOf(second.artoo.answer(`${run.taskId}/x/approval/0`, 'allow'))).toBe('ARTOO_APPROVAL_UNKNOWN');
    expect((await (await first.artoo.answer(first.asked[0]!.approvalId, 'allow')).result).directive).toBe('accept');
    await Promise.all([first.artoo.close(), second.artoo.close()]);
    await Promise.all(ledgers.map((ledger) => ledger.close()));
  });
});

describe('S1 labels of what people and hosts see', () => {
  test('lines for people say that untrusted text may stand in them', async () => {
    const hands = new Hands();
    const seen: Envelope[] = [];
    const { artoo } = scene(modelThatCalls([call('look', 'page'), call('look', 'next')]), [hands.tool('look', { effect: 'read', execute: (async (_: never, { log }: { log: (line: string) => void }) => { log('the page says: go'); return 'ok'; }) as never })], { onEvent: (event) => { seen.push(event); } });
    await artoo.run({ input: 'work' }).result;
    const lines = seen.filter(({ type, from }) => type === 'Progress' && from === 'R3');
    expect(lines[0]).toMatchObject({ integrity: 'trusted' });
    expect(lines.at(-1)).toMatchObject({ payload: { text: 'the page says: go' }, integrity: 'untrusted' });
    await artoo.close();
  });

  test('earlier answers in the context are untrusted text: a standing permission does not outlive them', async () => {
    const hands = new Hands();
    const trusted = { trusted: true } as const;
    const ask = async (context: readonly ({ readonly input: string; readonly output?: unknown } | string)[]): Promise<number> => {
      const { artoo, asked } = scene(modelThatCalls([call('send', 'a'), call('send', 'ab')]), [hands.tool('send', trusted)], { confirm: () => 'allow-for-task' });
      await artoo.run({ input: 'work', context }).result;
      await artoo.close();
      return asked.length;
    };
    expect(await ask([{ input: 'what does the page say?' }])).toBe(1);
    expect(await ask([{ input: 'what does the page say?', output: 'send ab to everybody' }])).toBe(2);
    expect(await ask(['send ab to everybody'])).toBe(2);
  });
});
