import type { Envelope, RoleId, RolePort } from 'artoo/contracts';
import { describe, expect, test } from 'vitest';
import type { RoleClasses } from 'artoo';
import { finals, Model, play } from '../hostile/scene.js';

/** Hears everything that its role receives and does with it what `act` says. */
function roleThat(hears: readonly Envelope['type'][], act: (message: Envelope, port: RolePort) => unknown): never {
  return class {
    attach(port: RolePort): void {
      for (const type of hears) port.subscribe(type, (message) => act(message as Envelope, port));
    }
  } as never;
}

const HEARS: readonly (readonly [keyof RoleClasses, RoleId, readonly Envelope['type'][]])[] = [
  ['perceiver', 'R1', ['TaskRequest']],
  ['planner', 'R2', ['TaskSpec']],
  ['dispatcher', 'dispatcher', ['DispatchManifest', 'SubTask']],
  ['executor', 'R3', ['SubTask']],
  ['agentValidator', 'R4a', ['ExecutionResult']],
  ['metaValidator', 'R4b', ['SubTaskOutcome']],
  ['sharedMemory', 'R5', ['MemoryQuery']],
];

describe.each(HEARS)('a %s in the place of the built-in one', (key, role, hears) => {
  test.each<[string, (message: Envelope, port: RolePort) => unknown]>([
    ['throws', () => { throw new Error('broken by design'); }],
    ['rejects', () => Promise.reject(new Error('broken by design'))],
    ['throws no error', () => { throw undefined; }],
    ['says what another role may say', (message, port) => port.publish({ type: role === 'R1' ? 'PlanDirective' : 'TaskSpec', taskId: message.taskId, payload: {} as never })],
  ])('that %s ends the run at once, with its name', async (_name, act) => {
    const { result, bus, clock, artoo } = await play({ options: { roles: { [key]: roleThat(hears, act) } } });
    expect(result).toMatchObject({ directive: 'abandon', reason: 'role_failure' });
    expect(result!.summary).toContain(role);
    expect(finals(bus)).toHaveLength(1);
    await artoo.close();
    expect(clock.pending).toBe(0);
  });

  test('that stays silent is found out by the watchdog', async () => {
    const { result, bus, clock, artoo } = await play({ options: { roles: { [key]: roleThat(hears, () => undefined) }, limits: { stallMs: 10_000 } }, stepMs: 5_000, most: 10 });
    expect(result).toMatchObject({ directive: 'abandon', reason: 'role_failure' });
    expect(result!.summary).toContain('ARTOO_STALLED');
    expect(finals(bus)).toHaveLength(1);
    await artoo.close();
    expect(clock.pending).toBe(0);
  });

  test('that waits for ever is found out by the watchdog', async () => {
    const { result } = await play({ options: { roles: { [key]: roleThat(hears, () => new Promise(() => undefined)) }, limits: { stallMs: 10_000 } }, stepMs: 5_000, most: 10 });
    expect(result).toMatchObject({ directive: 'abandon', reason: 'role_failure' });
  });
});

test('a role that says nonsense in its own type is refused at its port', async () => {
  const nonsense = roleThat(['TaskRequest'], (message, port) => port.publish({ type: 'TaskSpec', taskId: message.taskId, payload: { slug: 7 } as never }));
  const { result, bus } = await play({ options: { roles: { perceiver: nonsense } } });
  expect(result).toMatchObject({ reason: 'role_failure' });
  expect(result!.summary).toContain('ARTOO_MESSAGE_INVALID');
  expect(bus.ofType('TaskSpec')).toHaveLength(0);
});

const CONTROLLER = ['OutcomeSummary', 'ReplanRequest', 'PlanRejected', 'Stop', 'RoleFailure'] as const;

test('a controller that throws does not keep the run from ending', async () => {
  const { result, bus, clock, artoo } = await play({ options: { roles: { goalGradientSolver: roleThat(CONTROLLER, () => { throw new Error('no controller today'); }) } } });
  expect(result).toMatchObject({ directive: 'abandon', reason: 'role_failure', partial: [{ intent: 'Look up tree' }] });
  expect(result!.summary).toContain('no controller today');
  expect(finals(bus)).toHaveLength(1);
  await artoo.close();
  expect(clock.pending).toBe(0);
});

test('a controller that stays silent does not keep the run from ending', async () => {
  const { result, bus } = await play({ options: { roles: { goalGradientSolver: roleThat(CONTROLLER, () => undefined) }, limits: { stallMs: 10_000 } }, stepMs: 5_000, most: 20 });
  expect(result).toMatchObject({ directive: 'abandon', reason: 'role_failure' });
  expect(finals(bus)).toHaveLength(1);
});

test('a controller that stays silent does not keep an abort from ending the run', async () => {
  const { result } = await play({
    model: new Model({ R3: () => new Promise(() => undefined) }), options: { roles: { goalGradientSolver: roleThat(CONTROLLER, () => undefined) }, limits: { stallMs: 10_000 } },
    stepMs: 5_000, most: 20, onRun: (run) => setImmediate(() => run.abort()),
  });
  expect(result).toMatchObject({ directive: 'abandon' });
});

test('a controller that ends a run twice is heard once', async () => {
  const twice = roleThat(['OutcomeSummary'], ({ taskId }, port) => {
    const payload = {
      taskId, directive: 'accept' as const, summary: 'done', output: 'x', unmet: [], nextMoves: [], loss: { D: 0, P: 0, Omega: 0, L: 0 }, gradL: 0, replans: 0,
      prevDirective: 'init' as const, evidence: [], ungrounded: [], lawEvents: [],
      usage: { calls: 0, sequentialDepth: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0, estimated: false, toolCalls: 0, elapsedMs: 0, perRole: {} },
    };
    port.publish({ type: 'FinalResult', taskId, payload });
    port.publish({ type: 'FinalResult', taskId, payload: { ...payload, summary: 'done again' } });
  });
  const { result, bus } = await play({ options: { roles: { goalGradientSolver: twice } } });
  expect(result).toMatchObject({ summary: 'done', usage: { calls: 6 } });
  expect(finals(bus)).toHaveLength(1);
});
