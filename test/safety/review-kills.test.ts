import { ArtooError, createArtoo, type ApprovalDecision, type FinalResult, type Tool } from 'artoo';
import { CountingIds } from 'artoo/testing';
import { expect, test } from 'vitest';
import { KillableLedger, type Kill } from '../run/killable-ledger.js';
import { call, Hands, modelThatCalls } from './scene.js';

interface Life { readonly result: FinalResult; readonly hands: Hands; readonly ledger: KillableLedger; readonly taskId: string; readonly yes: ReadonlySet<string> }
type Say = ApprovalDecision | 'later';

/** Ends of a life that are no fault: its death, and a question that is put off. */
const rests = (error: unknown): boolean => ArtooError.is(error, 'ARTOO_LEDGER_WRITE') || ArtooError.is(error, 'ARTOO_APPROVAL_PENDING');

/**
 * Carries a task through its deaths as a host would: what waits for an answer gets one, everything else is resumed.
 * `say` is what confirm says to a target in the n-th life; a `later` is answered with `answer` in the next one.
 */
async function live(kills: readonly Kill[], subtasks: readonly (readonly string[])[], say: (target: string, life: number) => Say, answer: (target: string) => ApprovalDecision, tools?: (hands: Hands) => Tool[]): Promise<Life> {
  const hands = new Hands();
  const ledger = new KillableLedger();
  const model = modelThatCalls(...subtasks.map((list) => list.map((what) => call('send', what))));
  const yes = new Set<string>();
  let taskId = '';
  for (let life = 1; life <= kills.length + 12; life++) {
    const artoo = createArtoo({
      models: { brain: model, tool: model }, tools: tools?.(hands) ?? [hands.tool('send')], ids: new CountingIds(), hyperparameters: { maxReplans: 1 },
      ledger: ledger.born(kills[life - 1]),
      confirm: ({ target }) => {
        const said = say(target, life);
        if (said === 'allow') yes.add(target);
        return said;
      },
    });
    try {
      const [task] = await artoo.pending();
      if (!task) {
        const known = (await ledger.born(undefined).list()).length > 0;
        const run = known ? artoo.resume(taskId) : artoo.run('work');
        taskId = run.taskId;
        return { result: await run.result, hands, ledger, taskId, yes };
      }
      const answered = await Promise.allSettled(task.questions.map(async ({ approvalId, target }) => {
        const decision = answer(target);
        if (decision !== 'deny') yes.add(target);
        return artoo.answer(approvalId, decision);
      }));
      for (const one of answered) if (one.status === 'rejected' && !rests(one.reason)) throw one.reason;
      return { result: await artoo.resume(taskId).result, hands, ledger, taskId, yes };
    } catch (error) {
      if (ArtooError.is(error, 'ARTOO_LEDGER_NOT_FOUND') && taskId === '') continue;
      if (!rests(error)) throw error;
    }
  }
  throw new Error(`the task did not end: ${JSON.stringify(kills)}`);
}

async function assertSound({ hands, ledger, taskId, yes, result }: Life, note: string): Promise<void> {
  const lines = await ledger.lines(taskId);
  // Each yes carries one call, and stands in the record before it.
  let yeses = 0;
  for (const line of lines) {
    if (line.kind === 'approval.answered' && line.decision === 'allow') yeses += 1;
    if (line.kind === 'tool.intent' && line.effect === 'irreversible') expect(--yeses, note).toBeGreaterThanOrEqual(0);
  }
  for (const done of hands.done) expect([...yes].map((target) => `send ${target}`), note).toContain(done);
  expect(lines.filter(({ kind }) => kind === 'task.end'), note).toHaveLength(1);
  // After a call in doubt the model plans anew and people are asked anew; else everything is done exactly once.
  const inDoubt = lines.some((line) => line.kind === 'tool.outcome' && line.error?.code === 'in-doubt');
  if (!inDoubt) expect({ note, directive: result.directive, done: [...hands.done].sort() }).toEqual({ note, directive: 'accept', done: [...yes].map((target) => `send ${target}`).sort() });
}

const TIMES = [1, 2, 5];
const killsAt = (append: number, when: Kill['when'], times: number): Kill[] =>
  Array.from({ length: times }, (_, index) => ({ append: index === 0 ? append : 1 + ((append * 5 + index * 3) % 9), when }));

test.each<[string, readonly (readonly string[])[], (target: string, life: number) => Say]>([
  ['one question that is put off', [['letter']], () => 'later'],
  ['one question that is answered at once', [['letter']], () => 'allow'],
  ['three questions at once in parallel subtasks, put off', [['one'], ['two'], ['three']], () => 'later'],
  ['two in a row, put off in every other life', [['one', 'two']], (_, life) => (life % 2 === 0 ? 'allow' : 'later')],
])('F43 %s: killed at any append, once to five times, it ends, no yes is lost and nothing is done twice or without its yes', async (_, subtasks, say) => {
  const first = await live([], subtasks, say, () => 'allow');
  await assertSound(first, 'no kill');
  const appends = (await first.ledger.lines(first.taskId)).length;
  expect(appends).toBeGreaterThan(25);
  for (const when of ['before', 'after'] as const) {
    for (let append = 1; append <= appends; append++) {
      for (const times of TIMES) {
        const kills = killsAt(append, when, times);
        await assertSound(await live(kills, subtasks, say, () => 'allow'), JSON.stringify(kills));
      }
    }
  }
}, 300_000);

test('F43 a no that was given is kept through any death: the action never happens', async () => {
  const first = await live([], [['letter', 'parcel']], () => 'later', (target) => (target === 'parcel' ? 'allow' : 'deny'));
  const appends = (await first.ledger.lines(first.taskId)).length;
  for (const when of ['before', 'after'] as const) {
    for (let append = 1; append <= appends; append++) {
      const life = await live(killsAt(append, when, 2), [['letter', 'parcel']], () => 'later', (target) => (target === 'parcel' ? 'allow' : 'deny'));
      expect(life.hands.done.filter((done) => done !== 'send parcel'), `${when} ${append}`).toEqual([]);
      expect(life.hands.done.length).toBeLessThanOrEqual(1);
    }
  }
}, 300_000);
