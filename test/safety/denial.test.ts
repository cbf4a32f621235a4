import { createBus } from 'artoo/bus';
import { RecordingBus } from 'artoo/testing';
import { createArtoo, defineTool, type Tool } from 'artoo';
import * as z from 'zod';
import { expect, test } from 'vitest';
import { Model } from '../hostile/scene.js';
import { call, Hands, modelThatCalls, scene } from './scene.js';

test('after a no the task goes on when it can: the next way is taken, and the summary says what was not done', async () => {
  const hands = new Hands();
  const { artoo, asked } = scene(modelThatCalls([call('send', 'letter'), call('draft', 'letter')]), [hands.tool('send'), hands.tool('draft', { effect: 'write' })], { confirm: () => 'deny' });
  const result = await artoo.run({ input: 'work' }).result;
  expect(asked).toHaveLength(1);
  expect(hands.done).toEqual(['draft letter']);
  expect(result.directive).toBe('accept');
  expect(result.summary).toContain('[LAW1] Not done without confirmation: send on letter');
  expect(result.lawEvents).toMatchObject([{ law: 1, tool: 'send', target: 'letter', decision: 'deny' }]);
  await artoo.close();
});

test('after a no the task says so when it can not go on: no output, and what was refused stands in the summary', async () => {
  const hands = new Hands();
  const { artoo } = scene(modelThatCalls([call('send', 'letter')]), [hands.tool('send')], { confirm: () => 'deny' });
  const result = await artoo.run({ input: 'work' }).result;
  expect(result).toMatchObject({ directive: 'abandon', output: null, summary: expect.stringContaining('[LAW1]') });
  expect(result.unmet.length).toBeGreaterThan(0);
  await artoo.close();
});

test('what a tool discloses stands in the result, and on the record for a resumed run', async () => {
  const tool = defineTool({
    name: 'note', description: 'Notes.', input: z.object({ what: z.string() }), effect: 'write',
    execute: ({ what }, { disclose, taskId }) => { disclose(`kept the old ${what} of ${taskId}`); return 'ok'; },
  });
  const { artoo } = scene(modelThatCalls([call('note', 'page')]), [tool]);
  const result = await artoo.run({ input: 'work' }).result;
  expect(result.lawEvents).toEqual([{ law: 0, what: 'kept the old page of task-1', decision: 'disclosed', tool: 'note', target: expect.any(String) }]);
  expect(result.summary).not.toContain('[LAW1]');
  await artoo.close();
});

test.each([['sandbox', 'always'], ['redact', 'secret'], ['redact', [7]]])('createArtoo refuses %s: %j', (name, value) => {
  const model = new Model();
  expect(() => createArtoo({ models: { brain: model, tool: model }, [name]: value })).toThrow(expect.objectContaining({ code: 'ARTOO_INVALID_CONFIG', hint: expect.any(String) }));
});

test('the sandbox policy of the host reaches a tool, and a secret is masked for taps of a bus that was handed in', async () => {
  const seen: unknown[] = [];
  const secret = ['sk', 'proj', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6'].join('-');
  const tool = defineTool({
    name: 'note', description: 'Notes.', input: z.object({ what: z.string() }), effect: 'read',
    execute: (_input, { sandbox }) => { seen.push(sandbox); return `ok ${secret}`; },
  });
  const taps: string[] = [];
  const bus = createBus();
  bus.tap((envelope) => { taps.push(JSON.stringify(envelope)); });
  const { artoo } = scene(modelThatCalls([call('note', 'page')]), [tool], { sandbox: 'auto', bus: new RecordingBus(bus) });
  await artoo.run({ input: 'work' }).result;
  expect(seen).toEqual(['auto']);
  expect(taps.join()).toContain('████████');
  expect(taps.join()).not.toContain(secret);
  await artoo.close();
});

const sender = (hands: Hands): Tool => ({ ...hands.tool('post', { effect: 'read' }), outward: ({ what }: { what: string }) => [what] }) as never;

test('what the user answers to a question of R1 may name what is sent, as the task may', async () => {
  for (const [answer, questions] of [['use https://a.example/x', 0], ['as you like', 1]] as const) {
    const hands = new Hands();
    let perceived = 0;
    const model = modelThatCalls([call('look', 'page'), call('post', 'https://a.example/x')]);
    const complete = model.complete.bind(model);
    model.complete = (request, options) => request.role === 'R1' && perceived++ === 0
      ? Promise.resolve({ text: JSON.stringify({ slug: 'work', intent: 'Do the work.', questions: ['Which address?'] }), finishReason: 'stop' }) : complete(request, options);
    const { artoo, asked } = scene(model, [hands.tool('look', { effect: 'read' }), sender(hands)], { clarify: () => [answer] });
    expect((await artoo.run({ input: 'work' }).result).directive).toBe('accept');
    expect(asked).toHaveLength(questions);
    await artoo.close();
  }
});

test('a secret that would leave asks also where nothing is masked', async () => {
  const hands = new Hands();
  const secret = ['sk', 'proj', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6'].join('-');
  const { artoo, asked } = scene(modelThatCalls([call('post', secret)]), [sender(hands)], { redact: false, confirm: () => 'deny' });
  await artoo.run({ input: `post ${secret}` }).result;
  expect(asked).toMatchObject([{ reason: 'it sends out what looks like a secret' }]);
  expect(hands.done).toEqual([]);
  await artoo.close();
});
