// What a strict host writes against the public doors. Compiled, never run: here with the project, and against the packed
// package by several compilers (test/package). A line under @ts-expect-error has to be refused.
import { ArtooError, createArtoo, defineTool, type ArtooOptions, type Clock, type Envelope, type FinalResult, type LLMClient, type LLMReply, type Tool } from 'artoo';
import { createBus, rolePort } from 'artoo/bus';
import { ROLE_CONTRACTS, type MessageType, type Payload, type RoleId, type SubTaskOutcome } from 'artoo/contracts';
import { decide, initialState, step, type Decision, type MacroState } from 'artoo/ggs';
import { createFileLedger, type Ledger } from 'artoo/ledger';
import { completeStructured, withRetry } from 'artoo/llm';
import { createMemory, type MemoryStore } from 'artoo/memory';
import { createOfflineModel } from 'artoo/offline';
import { createOpenAIClient } from 'artoo/openai';
import { Planner } from 'artoo/roles';
import { CountingIds, ManualClock, runConformance, busConformance, ScriptedLLM } from 'artoo/testing';
import { workspaceTools } from 'artoo/tools';
import { z } from 'zod';

/** Fails to compile where T is `any`. */
type Known<T> = 0 extends 1 & T ? never : T;
declare function known<T>(value: Known<T>): void;

// A client by hand, with the least there is.
const client: LLMClient = { model: 'mine', complete: async (request, { signal }): Promise<LLMReply> => ({ text: `${request.role}${String(signal.aborted)}`, finishReason: 'stop' }) };
// @ts-expect-error a reply says why it finished
const half: LLMClient = { model: 'mine', complete: async () => ({ text: '' }) };

// Tools: the input's type comes from the schema, and `effect` has no default.
export const add: Tool = defineTool({
  name: 'add', description: 'Adds.', effect: 'read', input: z.object({ a: z.number(), b: z.number().optional() }), target: ({ a }) => String(a),
  execute: async ({ a, b }, { signal, workspace, log }) => {
    known(a);
    log(`${a.toFixed(0)} ${b?.toFixed(0) ?? ''} ${String(signal.aborted)} ${workspace?.root ?? ''}`);
    return a;
  },
});
// @ts-expect-error a tool must say what it does to the world
defineTool({ name: 'silent', description: 'Says nothing of its effect.', input: z.object({}), execute: async () => 1 });
defineTool({ name: 'plain', description: 'By JSON Schema.', effect: () => 'write', input: { type: 'object' }, execute: () => undefined });

// The main door.
const options: ArtooOptions = { models: { brain: client, tool: withRetry(client) }, tools: [add, ...workspaceTools({ root: '.' })] };
// @ts-expect-error models can't be left out
createArtoo({ tools: [] });
// @ts-expect-error an option nobody knows
createArtoo({ ...options, modles: {} });

export async function run(signal: AbortSignal): Promise<FinalResult> {
  const memory: MemoryStore = createMemory();
  const ledger: Ledger = createFileLedger({ dir: 'ledger' });
  await using artoo = createArtoo({
    ...options, memory, ledger, clock: new ManualClock(), ids: new CountingIds(), bus: createBus(), hyperparameters: { maxReplans: 2 }, limits: { parallel: 2 },
    confirm: ({ tool, preview, effect }) => (tool === 'shell' && preview.includes('rm') && effect === 'irreversible' ? 'deny' : 'allow'), clarify: (questions) => questions.map(() => ''), onEvent: (event) => known(event.type),
    prices: { mine: { input: 1, output: 2 } },
  });
  const task = artoo.run({ input: 'count', criteria: ['there is a number', { criterion: 'it is 3', weight: 2, check: { type: 'outputMatches', pattern: '3' } }], budget: { timeMs: 1_000, calls: 3 }, signal });
  await task.accepted;
  for await (const event of task) report(event);
  // @ts-expect-error an abort's reason is text
  task.abort(1);
  const [waiting] = await artoo.pending();
  if (waiting) void artoo.resume(waiting.taskId).result.catch((error: unknown) => (ArtooError.is(error, 'ARTOO_LEDGER_LOCKED') ? error.hint : undefined));
  // @ts-expect-error no such code
  ArtooError.is(undefined, 'ARTOO_NO_SUCH_CODE');
  const result = await task.result;
  known(result.directive);
  const ended: 'accept' | 'success' | 'abandon' = result.directive;
  console.log(ended, result.loss.D, result.unmet.map(({ criterion, why }) => `${criterion}${why}`), result.usage.perRole['R1']?.calls, result.reason ?? '');
  // @ts-expect-error results are not to be changed by accident into something else
  result.directive = 'refine';
  return result;
}

/** Events are a union on `type`: a look at it tells the payload. */
function report(event: Envelope): void {
  if (event.type === 'PlanDirective') known<string>(event.payload.directive);
  if (event.type === 'SubTaskOutcome') known<SubTaskOutcome>(event.payload);
  // @ts-expect-error no message of that type
  if (event.type === 'Chatter') console.log(event);
}

// Roles alone on a bus.
const bus = createBus();
const port = rolePort(bus, 'R2');
new Planner({ llm: client }).attach(port);
bus.subscribe({ type: 'PlanRejected' }, ({ payload }) => known<string>(payload.message));
export const role: RoleId = 'R4b';
// @ts-expect-error there is no R8
export const stranger: RoleId = 'R8';
export const mission: string = ROLE_CONTRACTS.R7.mission;
export const payloadOf = <T extends MessageType>(envelope: Envelope<T>): Payload<T> => envelope.payload;

// The controller alone.
const next: MacroState = decide({ D: 1, P: 0, Omega: 0, gradL: 0 }, { theta: 0.9 });
const { decision, state }: { decision: Decision; state: unknown } = step(initialState(), { stage: 'gate', outcomes: [], elapsedMs: 1 });
console.log(next, decision.rationale, state);

export async function others(clock: Clock): Promise<void> {
  const scripted = new ScriptedLLM([{ role: 'R1', reply: { slug: 'a', intent: 'b' } }, { when: ({ role }) => role === 'R2', reply: 'text', times: 2 }], { rank: 1 });
  const models: LLMClient[] = [scripted, createOfflineModel(), createOpenAIClient({ baseURL: 'http://127.0.0.1:1', apiKey: 'k', model: 'm' })];
  const { value } = await completeStructured(models[0]!, z.object({ n: z.number() }), { role: 'R1', taskId: 't', system: '', messages: [] }, { signal: new AbortController().signal });
  known<number>(value.n);
  console.log(clock.now(), await runConformance(busConformance, () => createBus()), half);
}
