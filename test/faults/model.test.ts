import { createMemoryLedger } from 'artoo/ledger';
import { ManualClock } from 'artoo/testing';
import { expect, test } from 'vitest';
import { calls, failAll, finals, lookupTool, Model, passAll, planFor, play, raw, text } from '../hostile/scene.js';

test('F1 a model that never answers is given up at the limit, tried again as often as told, then named; its late reply counts nowhere', async () => {
  const late: ((value: unknown) => void)[] = [];
  const { result, model, bus, clock } = await play({
    model: new Model({ R2: () => new Promise((resolve) => { late.push(resolve); }) }), run: { limits: { callTimeoutMs: 5_000, callRetries: 2 } }, stepMs: 1_000,
  });
  expect(model.of('R2')).toHaveLength(3);
  expect(result).toMatchObject({ directive: 'abandon', reason: 'role_failure' });
  const said = bus.messages.length;
  for (const resolve of late) resolve(planFor('tree'));
  await clock.advance(10_000);
  expect(bus.messages.length).toBe(said);
  expect(finals(bus)).toHaveLength(1);
});

test('F1 a late reply of a first try does not stand in for the second', async () => {
  let first: (value: unknown) => void = () => undefined;
  const { result, model, bus } = await play({
    model: new Model({ R2: (_request, { number }) => (number === 1 ? new Promise((resolve) => { first = resolve; }) : new Promise((resolve) => { first(planFor('wind')); setImmediate(() => resolve(planFor('lake'))); })) }),
    run: { limits: { callTimeoutMs: 5_000 } }, stepMs: 1_000,
  });
  expect(model.of('R2')).toHaveLength(2);
  expect(bus.ofType('SubTask')[0]!.payload.intent).toBe('Look up lake');
  expect(result!.directive).toBe('accept');
});

test('F2 a 429 with retry-after is waited out, and the wait is not a stall', async () => {
  const clock = new ManualClock();
  const times: number[] = [];
  const { result } = await play({
    clock, stepMs: 1_000, options: { limits: { stallMs: 5_000 } },
    model: new Model({ R2: (_request, { number }) => { times.push(clock.monotonic()); if (number === 1) throw Object.assign(new Error('slow down'), { status: 429, retryAfterMs: 30_000 }); return planFor('tree'); } }),
  });
  expect(result!.directive).toBe('accept');
  expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(30_000);
  expect(times[1]! - times[0]!).toBeLessThanOrEqual(33_000);
});

test('F3 F5 an outage and a cut connection are tried again, and each try is counted', async () => {
  const { result, model } = await play({ model: new Model({ R4a: (_request, { number }) => { if (number < 3) throw Object.assign(new Error('connection lost'), number === 1 ? { status: 503 } : { code: 'ECONNRESET' }); return passAll(); } }) });
  expect(result!.directive).toBe('accept');
  expect([model.of('R4a').length, result!.usage.calls]).toEqual([3, 8]);
});

test.each([400, 401, 403, 404])('F4 a %i is not tried again', async (status) => {
  const { result, model } = await play({ model: new Model({ R2: () => { throw Object.assign(new Error('no'), { status }); } }) });
  expect(model.of('R2')).toHaveLength(1);
  expect(result).toMatchObject({ directive: 'abandon', reason: 'role_failure' });
});

test('F4 a prompt that is too long is shortened once at most, then the call fails', async () => {
  const { result, model } = await play({ model: new Model({ R2: () => { throw Object.assign(new Error("This model's maximum context length is 8192 tokens"), { status: 400, code: 'context_length_exceeded' }); } }) });
  expect(model.of('R2').length).toBeLessThanOrEqual(2);
  expect(result).toMatchObject({ directive: 'abandon', reason: 'role_failure' });
});

test('F6 a cut reply is asked for again with more room, and never repaired into a call', async () => {
  const words: string[] = [];
  const { result, model } = await play({
    model: new Model({
      R2: (_request, { number }) => (number === 1 ? text(JSON.stringify(planFor('tree')).slice(0, -20), 'length') : planFor('tree')),
      R3: (request, { number }) => (number === 1 ? text('{"tool": "lookup", "input": {"word": "tr', 'length') : request.messages.some(({ role }) => role === 'tool') ? { status: 'completed', output: 'four' } : calls([{ name: 'lookup', input: { word: 'tree' } }])),
    }),
    options: { tools: [lookupTool((word) => { words.push(word); })] },
  });
  expect(words).toEqual(['tree']);
  expect(model.of('R2')[1]!.maxOutputTokens).toBeGreaterThan(4_096);
  expect(model.of('R3')[1]!.maxOutputTokens).toBeGreaterThan(4_096);
  expect(result!.directive).toBe('accept');
});

test('F7 two different objects are no answer for any role, the same one twice is', async () => {
  const two = (left: object, right: object) => () => `${JSON.stringify(left)}\n${JSON.stringify(right)}`;
  const once = await play({ model: new Model({ R2: two(planFor('tree'), planFor('tree')) }) });
  expect([once.model.of('R2').length, once.result!.directive]).toEqual([1, 'accept']);
  const plans = await play({ model: new Model({ R2: (request) => (request.schema?.name === 'next_moves' ? { moves: ['x'] } : two(planFor('tree'), planFor('lake'))()) }) });
  expect(plans.result).toMatchObject({ reason: 'no_admissible_plan' });
  const ends = await play({ model: new Model({ R3: two({ status: 'completed', output: 'a' }, { status: 'failed', output: 'b' }) }), options: { hyperparameters: { maxReplans: 1 } } });
  expect(ends.bus.ofType('ExecutionResult')[0]!.payload).toMatchObject({ status: 'failed', failure: { code: 'ARTOO_STRUCTURED_OUTPUT' } });
});

test('F8 an empty reply is asked for again once', async () => {
  const { result, model } = await play({ model: new Model({ R4b: (_request, { number }) => (number === 1 ? text(' ') : { summary: 's', mergedOutput: 'four letters', ...passAll() }) }) });
  expect([model.of('R4b').length, result!.directive]).toEqual([2, 'accept']);
});

test('F9 a wrong schema three times fails the step with the three replies in the record, and the task goes on to replan', async () => {
  const ledger = createMemoryLedger();
  const { result, bus, model } = await play({ options: { ledger }, model: new Model({ R4a: (_request, { number }) => (number <= 3 ? { unexpected: number } : passAll()) }) });
  expect(result!.directive).toBe('accept');
  expect(bus.ofType('SubTaskOutcome')[0]!.payload).toMatchObject({ status: 'failed', failureReason: expect.stringContaining('ARTOO_STRUCTURED_OUTPUT') });
  const replies = (await ledger.read('task-1')).flatMap((line) => (line.kind === 'llm.reply' && line.address.role === 'R4a' ? line.reply!.text : []));
  expect(replies.slice(0, 3)).toEqual([1, 2, 3].map((number) => JSON.stringify({ unexpected: number })));
  expect(model.of('R2')).toHaveLength(2);
});

test('F10 call ids that are doubled or missing are made unique, and each call gets its own answer', async () => {
  const { model, result } = await play({
    model: new Model({ R3: (request) => (request.messages.some(({ role }) => role === 'tool') ? { status: 'completed', output: 'x' } : raw({ text: '', finishReason: 'tool_calls', toolCalls: [{ id: 'a', name: 'lookup', input: { word: 'one' } }, { id: 'a', name: 'lookup', input: { word: 'two' } }, { name: 'lookup', input: { word: 'three' } }] })) }),
  });
  const answers = model.of('R3')[1]!.messages.filter(({ role }) => role === 'tool');
  expect(new Set(answers.map(({ toolCallId }) => toolCallId)).size).toBe(3);
  expect(answers.map(({ content }) => /(one|two|three): four/.exec(content)?.[1])).toEqual(['one', 'two', 'three']);
  expect(result!.directive).toBe('accept');
});

test('F11 a text of a megabyte as a result goes on with both ends, and says that it was cut', async () => {
  const { bus } = await play({ model: new Model({ R3: () => `begin ${'x'.repeat(990_000)} end` }), options: { hyperparameters: { maxReplans: 1 } } });
  const { output } = bus.ofType('ExecutionResult')[0]!.payload as { output: string };
  expect(output).toMatch(/^begin[^]*characters left out[^]*end$/);
});

test('F12 usage that is missing or below nothing is estimated, flagged, and still bound by the budget', async () => {
  for (const usage of [undefined, { inputTokens: -5, outputTokens: Number.NaN }]) {
    const { result } = await play({ model: new Model({ R1: () => raw({ text: '{"intent": "Find out about a word."}', finishReason: 'stop', usage }) }), run: { budget: { tokens: 2_000 } } });
    expect(result!.usage.estimated).toBe(true);
    expect(result).toMatchObject({ directive: 'abandon', reason: 'budget_tokens' });
    expect(result!.usage.inputTokens).toBeGreaterThan(0);
  }
});

test('F36 a plan of a thousand subtasks is refused with the reason, one of sixteen runs eight at a time', async () => {
  const plan = (count: number): object => ({ ...planFor('tree'), subtasks: Array.from({ length: count }, (_, index) => ({ intent: `Look up word${index}`, successCriteria: ['The tool output names the number of letters'], sequence: 0, tools: ['lookup'] })) });
  const clock = new ManualClock();
  let running = 0;
  let peak = 0;
  const tool = lookupTool(() => { peak = Math.max(peak, ++running); return new Promise((resolve) => { clock.setTimeout(() => { running -= 1; resolve(undefined); }, 100); }); });
  const { result, model } = await play({ clock, stepMs: 100, model: new Model({ R2: (_request, { number }) => plan(number === 1 ? 1_000 : 16) }), options: { tools: [tool] } });
  expect(model.of('R2')[1]!.messages.at(-1)!.content).toContain('1000 subtasks');
  expect([peak, result!.directive]).toEqual([8, 'accept']);
});

test('F38 without progress, and going to and fro, a run is stopped within its rounds and keeps what it had', async () => {
  let plans = 0;
  const two = (word: string): object => ({ taskCriteria: ['The answer states the number of letters'], subtasks: ['good', word].map((intent) => ({ intent: `Look up ${intent}`, successCriteria: ['The tool output names the number of letters'], sequence: 0, tools: ['lookup'] })) });
  const { result, bus } = await play({
    model: new Model({
      R2: (request) => (request.schema?.name === 'next_moves' ? { moves: ['Ask somebody'] } : two(['north', 'south'][plans++ % 2]!)),
      R4a: (request) => (request.messages[0]!.content.includes('Look up good') ? passAll() : failAll()),
    }),
    options: { limits: { maxRetries: 0 } },
  });
  expect(result!.directive).toBe('abandon');
  expect(bus.ofType('DispatchManifest').length).toBeLessThanOrEqual(4);
  expect(result!.partial!.map(({ intent }) => intent)).toContain('Look up good');
  expect(result!.nextMoves.length).toBeGreaterThan(0);
});

test('F37 a plan can\'t wait for itself: order is a number, what is kept twice is kept once', async () => {
  let plans = 0;
  const { result, bus } = await play({
    model: new Model({
      R2: (request) => {
        if (request.schema?.name === 'next_moves') return { moves: ['x'] };
        plans += 1;
        const part = (intent: string): object => ({ intent, successCriteria: ['The tool output names the number of letters'], sequence: 0, tools: ['lookup'] });
        return plans === 1 ? { ...planFor('x'), subtasks: [part('Look up good'), part('Look up bad')] } : { ...planFor('x'), keep: [0, 0, 0], subtasks: [part('Look up better')] };
      },
      R4a: (request) => (request.messages[0]!.content.includes('Look up bad') ? failAll() : passAll()),
    }),
    options: { limits: { maxRetries: 0 } },
  });
  expect(result!.directive).toBe('accept');
  expect(bus.ofType('DispatchManifest')[1]!.payload.keptSubtaskIds).toHaveLength(1);
  expect(new Set(bus.ofType('DispatchManifest')[1]!.payload.subtaskIds).size).toBe(2);
});
