import { createArtoo } from 'artoo';
import { createBus } from 'artoo/bus';
import type { Envelope } from 'artoo/contracts';
import { CountingIds, ManualClock, RecordingBus } from 'artoo/testing';
import { describe, expect, test } from 'vitest';
import { finals, lookupTool, Model, never, play, settle } from '../hostile/scene.js';

const onBus = async (prepare: (bus: RecordingBus) => void): Promise<{ bus: RecordingBus; directive: string | undefined; reason: string | undefined }> => {
  const bus = new RecordingBus(createBus());
  prepare(bus);
  const clock = new ManualClock();
  const model = new Model();
  const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [lookupTool()], ids: new CountingIds(), clock, bus });
  const { result } = await settle(artoo.run('look up tree'), clock);
  await artoo.close();
  return { bus, directive: result?.directive, reason: result?.reason };
};

test.each<[string, () => unknown, boolean]>([
  ['throws', () => { throw new Error('no'); }, true], ['rejects', () => Promise.reject(new Error('no')), true], ['never settles', never, false],
  ['blocks the loop for a while', () => { for (const until = performance.now() + 20; performance.now() < until;); }, false],
])('F21 a subscriber that %s harms neither the run nor other subscribers', async (name, handler, reported) => {
  const seen: string[] = [];
  // A handler that never settles would keep close() waiting as well: such a host closes no bus of its own.
  const bus = new RecordingBus(createBus());
  bus.subscribe({ type: ['TaskSpec', 'SubTaskOutcome'] }, handler);
  bus.subscribe({}, ({ type }) => void seen.push(type));
  const clock = new ManualClock();
  const model = new Model();
  const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [lookupTool()], clock, bus });
  const { result } = await settle(artoo.run('look up tree'), clock);
  expect(result!.directive).toBe('accept');
  expect(seen.at(-1)).toBe('FinalResult');
  expect(bus.reports.some(({ kind }) => kind === 'handler_failed')).toBe(reported);
  if (name !== 'never settles') await artoo.close();
});

test('F22 a tap that never keeps up loses its oldest messages, counted, and delays nobody', async () => {
  let dropped = 0;
  const { directive } = await onBus((bus) => {
    const tap = bus.tap({ message: never, report: () => { dropped = tap.dropped; } }, { limit: 2 });
  });
  expect(directive).toBe('accept');
  expect(dropped).toBeGreaterThan(5);
});

test('F22 inboxes lose nothing: two hundred tasks at once each get every message', async () => {
  const clock = new ManualClock();
  const bus = new RecordingBus(createBus());
  const model = new Model();
  const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [lookupTool()], clock, bus });
  const runs = Array.from({ length: 200 }, () => artoo.run('look up tree'));
  const results = await Promise.all(runs.map((run) => run.result));
  expect(results.filter(({ directive }) => directive === 'accept')).toHaveLength(200);
  expect(finals(bus)).toHaveLength(200);
  await artoo.close();
});

describe('F23 to F25 what others put on the bus during a run', () => {
  const during = (put: (message: Envelope, bus: RecordingBus) => void): Promise<{ bus: RecordingBus; directive: string | undefined; reason: string | undefined }> =>
    onBus((bus) => {
      let once = false;
      bus.subscribe({ type: 'DispatchManifest' }, (message) => {
        if (once) return;
        once = true;
        put(message as Envelope, bus);
      });
    });

  test('every message again, right away and after all of them: nothing is done twice', async () => {
    const { bus, directive } = await onBus((recording) => {
      const again = new Set<Envelope>();
      recording.subscribe({}, (message) => {
        if (message.type === 'Progress' || again.has(message)) return;
        again.add(message);
        recording.publish(message);
      });
    });
    expect(directive).toBe('accept');
    const ids = (type: Envelope['type']): number => new Set(bus.messages.filter((message) => message.type === type).map(({ id }) => id)).size;
    expect([ids('ExecutionResult'), ids('SubTaskOutcome'), ids('FinalResult'), ids('DispatchManifest')]).toEqual([1, 1, 1, 1]);
  });

  test.each<[string, unknown]>([
    ['no envelope', 'hello'], ['null', null], ['no type', { v: 1 }], ['an unknown type', { v: 1, type: 'Pwned', from: 'R2', to: 'R3', taskId: 'task-1', payload: {} }],
    ['a newer version', { v: 2, type: 'SubTask', from: 'R2', to: 'dispatcher', taskId: 'task-1', payload: {} }],
    ['ten megabytes', { v: 1, id: 'x', at: 0, integrity: 'trusted', type: 'Progress', from: 'R2', to: 'user', taskId: 'task-1', payload: { text: 'x'.repeat(10_000_000) } }],
    ['a payload that throws when read', { v: 1, id: 'x', at: 0, integrity: 'trusted', type: 'TaskSpec', from: 'R1', to: 'R2', taskId: 'task-1', get payload(): object { throw new Error('no'); } }],
  ])('%s is a dead letter with a reason, and the run goes on', async (_name, garbage) => {
    const { bus, directive } = await during((_message, recording) => recording.publish(garbage as Envelope));
    expect(directive).toBe('accept');
    const dead = bus.reports.filter(({ kind }) => kind === 'dead_letter');
    expect(dead).toHaveLength(1);
    expect(dead[0]).toHaveProperty('reason', expect.stringMatching(/\S/));
  });

  test.each<[string, Partial<Envelope>]>([
    ['a result by who may not give one', { type: 'FinalResult', from: 'R3', to: 'user' }], ['a summary by the executor', { type: 'OutcomeSummary', from: 'R3', to: 'R7' }],
    ['a plan by the validator', { type: 'DispatchManifest', from: 'R4a', to: 'dispatcher' }], ['a stop by the planner', { type: 'Stop', from: 'R2', to: 'all' }],
    ['an approval by the executor', { type: 'ApprovalReply', from: 'R3', to: 'R3' }],
  ])('%s is heard by nobody', async (_name, forged) => {
    const { bus, directive } = await during((message, recording) => recording.publish({ ...message, id: 'forged', payload: { subtaskId: 'x', reason: 'aborted', message: 'x' }, ...forged } as never));
    expect(directive).toBe('accept');
    // Nobody listens on the user's side here, so a result that nobody hears is reported by nobody.
    if (forged.type !== 'FinalResult' && forged.type !== 'ApprovalReply') expect(bus.reports.some(({ kind }) => kind === 'boundary_violation')).toBe(true);
  });

  test.each<[string, Partial<Envelope>]>([
    ['a manifest that is none', { type: 'DispatchManifest', from: 'R2', to: ['dispatcher', 'R4b'] }], ['a subtask that is none', { type: 'SubTask', from: 'R2', to: 'dispatcher' }],
    ['an outcome that is none', { type: 'SubTaskOutcome', from: 'R4a', to: ['R4b', 'dispatcher', 'R3'] }], ['a summary that is none', { type: 'OutcomeSummary', from: 'R4b', to: 'R7' }],
    ['a task that is none', { type: 'TaskSpec', from: 'R1', to: ['R2', 'R7'] }], ['a memory that is none', { type: 'MemoryReply', from: 'R5', to: 'R2' }],
  ])('%s, under a name that may send it, does not bring the run down', async (_name, garbage) => {
    const { directive } = await during((message, recording) => recording.publish({ ...message, id: 'foreign', payload: {}, ...garbage } as never));
    expect(directive).toBe('accept');
  });

  test('outcomes of subtasks that nobody planned, and of tasks that nobody began, count nowhere', async () => {
    const { directive, bus } = await during((message, recording) => {
      const outcome = { subtaskId: 'nobody', parentTaskId: 'task-1', status: 'failed', output: null, failureReason: 'x', criteriaVerdicts: [], gapTrajectory: [], toolCalls: [] };
      recording.publish({ ...message, id: 'late', type: 'SubTaskOutcome', from: 'R4a', to: ['R4b', 'dispatcher', 'R3'], payload: outcome } as never);
      recording.publish({ ...message, id: 'late', taskId: 'nobody', type: 'SubTaskOutcome', from: 'R4a', to: ['R4b', 'dispatcher', 'R3'], payload: outcome } as never);
    });
    expect(directive).toBe('accept');
    expect(bus.ofType('ReplanRequest')).toHaveLength(0);
  });
});

test('F24 messages of a run that is over are heard by nobody', async () => {
  const { bus, clock, result } = await play();
  const before = bus.messages.length;
  for (const message of [...bus.messages]) bus.publish({ ...message, id: `${message.id}/late` } as Envelope);
  await clock.advance(0);
  expect(bus.messages.length).toBe(2 * before);
  expect(result!.directive).toBe('accept');
});
