import type { Envelope } from 'artoo';
import type { RolePort } from 'artoo/contracts';
import { AgentValidator } from 'artoo/roles';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Causality } from '../../src/kernel/causality.js';
import { outsideOfFences } from './fences.js';
import { call, Hands, modelThatCalls, scene } from './scene.js';

const READ = { effect: 'read' } as const;

describe('S1 labels', () => {
  const ROLES = ['R1', 'R2', 'R3', 'R4a', 'R4b', 'R5', 'R7', 'dispatcher', 'kernel'] as const;
  const role = fc.constantFrom(...ROLES);
  const subtask = fc.constantFrom(undefined, 'a', 'b', 'c');
  const message = fc.nat(30).map((number) => `m${number}`);
  const step = fc.oneof(
    fc.record({ kind: fc.constant('heard' as const), role, subtask, message, foreign: fc.boolean() }),
    fc.record({ kind: fc.constant('called' as const), role, subtask }),
    fc.record({ kind: fc.constant('taint' as const), role, subtask, source: fc.string({ maxLength: 5 }) }),
    fc.record({ kind: fc.constant('said' as const), role, subtask, cause: fc.option(message, { nil: undefined }), after: fc.array(message, { maxLength: 3 }) }),
  );

  test('S1 over any flow of messages a label never gets better, and every message carries all that went into it', () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const causality = new Causality();
      // The same told plainly: what has ever flowed into a lane or a message, without any limit.
      const flowed = new Map<string, Set<string>>();
      const heard = new Set<string>();
      const lanes = new Map<string, readonly [(typeof ROLES)[number], string | undefined]>();
      let number = 0;
      const into = (key: string): Set<string> => flowed.get(key) ?? flowed.set(key, new Set()).get(key)!;
      const laneOf = (of: string, id: string | undefined): string => `lane ${(of === 'R3' || of === 'R4a') && id !== undefined ? of + id : of}`;
      for (const one of steps) {
        const lane = laneOf(one.role, one.subtask);
        lanes.set(lane, [one.role, one.subtask]);
        if (one.kind === 'heard') {
          if (one.foreign && !flowed.has(one.message)) into(one.message).add('outside');
          into(one.message);
          causality.heard({ id: one.message, integrity: flowed.get(one.message)!.size > 0 ? 'untrusted' : 'trusted' } as Envelope, one.role, one.subtask);
          if (!heard.has(`${one.role} ${one.message}`)) for (const source of into(one.message)) into(lane).add(source);
          heard.add(`${one.role} ${one.message}`);
        } else if (one.kind === 'called') causality.called(one.role, one.subtask);
        else if (one.kind === 'taint') {
          causality.taint(one.role, one.subtask, one.source);
          into(lane).add(one.source);
        } else {
          const id = `said${number++}`;
          const causes = [...(one.cause === undefined ? [] : [one.cause]), ...one.after, ...(number > 1 && number % 3 === 0 ? [`said${number - 2}`] : [])];
          const integrity = causality.said(id, one.role, one.subtask, { causeId: causes[0], after: causes.slice(1) });
          for (const source of [...(one.role === 'dispatcher' ? [] : into(lane)), ...causes.flatMap((cause) => [...(flowed.get(cause) ?? [])])]) into(id).add(source);
          expect(integrity).toBe(into(id).size > 0 ? 'untrusted' : 'trusted');
        }
        for (const [key, sources] of flowed) {
          if (!key.startsWith('lane ') || key === 'lane dispatcher') continue;
          const [of, id] = lanes.get(key) ?? [];
          if (of) expect(causality.influence(of, id) !== undefined, key).toBe(sources.size > 0);
        }
      }
    }), { numRuns: 300, seed: 20_240_501 });
  });

  test('S1 sources are named up to a number, and the label holds beyond it', () => {
    const causality = new Causality();
    for (let count = 0; count < 1_000; count += 1) causality.taint('R3', 'a', `source ${count}`);
    expect(causality.influence('R3', 'a')).toHaveLength(12);
    expect(causality.influence('R3', 'b')).toBeUndefined();
  });

  test('S1 after a tool spoke, everything that follows from it is untrusted, in the record as on the bus', async () => {
    const hands = new Hands();
    const { artoo, ledger } = scene(modelThatCalls([call('look', 'a')]), [hands.tool('look', READ)]);
    const run = artoo.run('work');
    const events: Envelope[] = [];
    for await (const event of run) if (event.type !== 'Progress') events.push(event);
    const labels = events.map(({ type, integrity }) => `${type} ${integrity}`);
    const from = events.findIndex(({ type }) => type === 'ExecutionResult');
    expect(labels.slice(0, from).filter((label) => label.endsWith('untrusted'))).toEqual([]);
    expect(labels.slice(from).filter((label) => label.endsWith(' trusted'))).toEqual([]);
    expect(labels.slice(from).length).toBeGreaterThan(3);
    const recorded = (await ledger.read(run.taskId)).flatMap((line) => (line.kind === 'message' ? [`${line.envelope.type} ${line.envelope.integrity}`] : []));
    expect(recorded).toEqual(labels);
    await artoo.close();
  });

  test('S1 a stop and a failure pass on what others achieved, and with it their label', async () => {
    for (const how of ['stop', 'failure'] as const) {
      const hands = new Hands();
      class Failing extends AgentValidator {
        override attach(port: RolePort): this {
          return super.attach(new Proxy(port, { get: (target, key) => (key !== 'subscribe' ? Reflect.get(target, key) : (type: 'SubTask', handler: (envelope: Envelope) => unknown) => target.subscribe(type, (envelope) => {
            if (how === 'failure' && (envelope.type as string) === 'ExecutionResult' && JSON.stringify(envelope.payload).includes('quiet')) throw new Error('broken');
            return handler(envelope);
          })) }));
        }
      }
      let release = (): void => undefined;
      const waits = new Promise<void>((resolve) => { release = resolve; });
      const { artoo } = scene(
        modelThatCalls([call('look', 'a')], [call('quiet', 'b')]),
        [hands.tool('look', READ), hands.tool('quiet', { ...READ, trusted: true, execute: () => waits.then(() => 'ok quiet') })], { roles: { agentValidator: Failing } },
      );
      const run = artoo.run('work');
      const events: Envelope[] = [];
      for await (const event of run) {
        events.push(event);
        if (event.type === 'SubTaskOutcome') how === 'stop' ? run.abort() : release();
      }
      release();
      const labels = events.filter(({ type }) => ['Stop', 'RoleFailure', 'FinalResult', 'MegramWrite'].includes(type)).map(({ type, integrity }) => `${type} ${integrity}`);
      expect(labels.filter((label) => label.endsWith(' trusted')), how).toEqual([]);
      expect(labels.join()).toContain(how === 'stop' ? 'Stop' : 'RoleFailure');
      await artoo.close();
    }
  });

  test('S1 what a tool\'s own functions say of a refused call is its text too', async () => {
    for (const trusted of [false, true]) {
      const hands = new Hands();
      const refusing = hands.tool('look', { trusted, effect: () => { throw new Error('the file says: MARK'); } });
      const model = modelThatCalls([call('look', 'a'), call('send', 'x')]);
      const { artoo, asked } = scene(model, [refusing, hands.tool('send')]);
      await artoo.run('work').result;
      expect(asked[0]!.influencedBy?.join(), String(trusted)).toBe(trusted ? undefined : 'look a');
      expect(outsideOfFences(model)).not.toContain('MARK');
      await artoo.close();
    }
  });
});
