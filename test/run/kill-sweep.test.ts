import { createArtoo, ArtooError, type FinalResult } from 'artoo';
import { expect, test } from 'vitest';
import { KillableLedger, type Kill } from './killable-ledger.js';
import { scenarioModel, scenarioOptions, World } from './scenario.js';

interface Life { readonly result: FinalResult; readonly world: World; readonly ledger: KillableLedger; readonly taskId: string; readonly lives: number }

/** Runs the scenario, dying as told, resuming after each death until it ends. */
async function live(kills: readonly Kill[]): Promise<Life> {
  const world = new World();
  const ledger = new KillableLedger();
  let taskId = '';
  for (let lives = 1; lives <= kills.length + 1; lives++) {
    const artoo = createArtoo({ ...scenarioOptions(world, scenarioModel()), ledger: ledger.born(kills[lives - 1]) });
    const known = (await ledger.born(undefined).list()).length > 0;
    const run = known ? artoo.resume(taskId) : artoo.run('sum the files');
    taskId = run.taskId;
    try {
      return { result: await run.result, world, ledger, taskId, lives };
    } catch (error) {
      if (!ArtooError.is(error, 'ARTOO_LEDGER_WRITE')) throw error;
    }
  }
  throw new Error('the task did not end');
}

async function assertNothingTwice({ world, ledger, taskId }: Life): Promise<void> {
  for (const path of new Set(world.writes)) expect(world.writes.filter((other) => other === path), `writes of ${path}`).toHaveLength(1);
  const answered = new Set<string>();
  for (const line of await ledger.lines(taskId)) {
    if (line.kind !== 'llm.call' && line.kind !== 'llm.reply') continue;
    const address = JSON.stringify(line.address);
    if (line.kind === 'llm.call') expect(answered.has(address), `asked again: ${address}`).toBe(false);
    else if (line.reply) answered.add(address);
  }
}

test('a run killed before or after any append, once or up to five times, ends, pays no recorded call twice and writes nothing twice', async () => {
  const baseline = await live([]);
  expect(baseline.result.directive).toBe('accept');
  const appends = baseline.ledger.appends;
  expect(appends).toBeGreaterThan(60);
  let doubted = 0;
  for (const when of ['before', 'after'] as const) {
    for (let append = 1; append <= appends; append++) {
      for (const times of [1, 2, 5]) {
        const kills: Kill[] = [{ append, when }];
        // Later deaths come a few appends into the resumed life, so that the resume itself is hit as well.
        for (let extra = 1; extra < times; extra++) kills.push({ append: 1 + ((append * 7 + extra * 3) % 6), when });
        const life = await live(kills);
        await assertNothingTwice(life);
        const inDoubt = (await life.ledger.lines(life.taskId)).some((line) => line.kind === 'tool.outcome' && line.error?.code === 'in-doubt');
        if (inDoubt) doubted += 1;
        else expect(life.result, `killed ${when} append ${append}, ${times} times`).toMatchObject({ directive: 'accept', output: baseline.result.output });
      }
    }
  }
  // The sweep must have met the case that it is about.
  expect(doubted).toBeGreaterThan(0);
}, 300_000);
