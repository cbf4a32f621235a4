import { createArtoo, type Envelope } from 'artoo';
import { createBus, type BusReport } from 'artoo/bus';
import { createDreamer, createMemory, type ArtooMemory, type DreamerServices, type MemoryStore } from 'artoo/memory';
import { ManualClock, ScriptedLLM, type ScriptedStep } from 'artoo/testing';
import { describe, expect, test } from 'vitest';
import { artooWith, megram, START } from './support.js';

const FIVE_MINUTES = 300_000;

function filled(times: number, clock: ManualClock): ArtooMemory {
  const memory = createMemory({ clock });
  for (let index = 0; index < times; index += 1) memory.append(megram(`m${index}`, { space: 'intent:count', entity: 'env:local', content: `Asked: count ${index}` }));
  return memory;
}

const dreamer = (reply: unknown, times = Infinity): ScriptedStep => ({ role: 'dreamer', times, reply });
const rulesOf = async (memory: MemoryStore): Promise<string[]> => (await memory.list({ level: 'C' })).map(({ content }) => content);

describe('the Dreamer of an artoo', () => {
  test('runs by itself every five minutes of the clock, and says what it did as a message of its own', async () => {
    const clock = new ManualClock(START);
    const memory = filled(6, clock);
    await memory.flush();
    const bus = createBus();
    const heard: Envelope[] = [];
    const told: string[] = [];
    bus.tap((envelope) => void heard.push(envelope));
    const artoo = artooWith(new ScriptedLLM([dreamer({ rule: 'Count with wc.' })]), { memory, clock, bus, onEvent: (event) => told.push(event.type) });
    await clock.advance(FIVE_MINUTES - 1);
    expect(await rulesOf(memory)).toEqual([]);
    await clock.advance(1);
    await expect.poll(() => heard.length).toBe(1);
    expect(await rulesOf(memory)).toEqual(['Count with wc.']);
    const [action] = heard;
    expect(action).toMatchObject({ type: 'DreamerAction', from: 'dreamer', to: 'R6', taskId: 'dreamer', payload: { promoted: [{ why: expect.stringContaining('count') as string }], demoted: [] } });
    expect(told).toEqual(['DreamerAction']);
    await artoo.close();
    expect(clock.pending).toBe(0);
  });
  test('asks the tool tier’s model, with the lessons fenced and laws above them', async () => {
    const clock = new ManualClock(START);
    const [brain, tool] = [new ScriptedLLM([]), new ScriptedLLM([dreamer({ rule: 'Count with wc.' })])];
    const artoo = createArtoo({ models: { brain, tool }, memory: filled(6, clock), clock });
    expect((await artoo.dream()).promoted).toHaveLength(1);
    const [request] = tool.requests;
    expect(request).toMatchObject({ role: 'dreamer', taskId: 'dreamer' });
    expect(request!.system).toContain('Law 0');
    expect(request!.messages[0]!.content).toMatch(/<<<data (\w+) memory>>>\n[\s\S]*Asked: count 0[\s\S]*<<<end \1>>>/);
    await artoo.close();
  });
  test('leaves a tag whose model call failed for the next pass', async () => {
    const clock = new ManualClock(START);
    const memory = filled(6, clock);
    const artoo = artooWith(new ScriptedLLM([dreamer(new Error('model down'), 1), dreamer({ rule: 'Count with wc.' })]), { memory, clock });
    expect((await artoo.dream()).left).toMatchObject([{ why: expect.stringContaining('model down') as string }]);
    expect((await artoo.dream()).promoted).toHaveLength(1);
    await artoo.close();
  });
  test('words the rule by a template where the model has no words', async () => {
    const clock = new ManualClock(START);
    const memory = filled(6, clock);
    const artoo = artooWith(new ScriptedLLM([dreamer({ rule: '' })]), { memory, clock });
    await artoo.dream();
    expect((await rulesOf(memory))[0]).toMatch(/^This has worked again and again: intent:count \(env:local\)\./);
    await artoo.close();
  });
  test('gives up a model that hangs at the call’s time limit', async () => {
    const clock = new ManualClock(START);
    const artoo = artooWith(new ScriptedLLM([dreamer(() => new Promise(() => undefined))]), { memory: filled(6, clock), clock, limits: { callTimeoutMs: 1_000 } });
    const pass = artoo.dream();
    await expect.poll(() => clock.pending).toBe(2);
    await clock.advance(1_001);
    expect((await pass).left).toMatchObject([{ why: 'scripted did not answer within 1000 ms' }]);
    await artoo.close();
  });
  test('is stopped by close, also in the middle of a model call', async () => {
    const clock = new ManualClock(START);
    const memory = filled(6, clock);
    const artoo = artooWith(new ScriptedLLM([dreamer(() => new Promise(() => undefined))]), { memory, clock });
    const pass = artoo.dream();
    await expect.poll(() => clock.pending).toBe(2);
    await artoo.close();
    expect((await pass).promoted).toEqual([]);
    expect(clock.pending).toBe(0);
    await expect(artoo.dream()).rejects.toMatchObject({ code: 'ARTOO_CLOSED' });
  });
  test('is none over the default memory: dream() says what to do, and no timer runs', async () => {
    const clock = new ManualClock(START);
    const artoo = artooWith(new ScriptedLLM([]), { clock });
    await expect(artoo.dream()).rejects.toMatchObject({ code: 'ARTOO_MEMORY_INVALID', hint: expect.stringContaining('createMemory') as string });
    expect(clock.pending).toBe(0);
    await artoo.close();
  });
  test('a pass that fails on its timer is told to the bus’s taps, and the next one runs', async () => {
    const clock = new ManualClock(START);
    const memory = filled(6, clock);
    await memory.flush();
    const bus = createBus();
    const reports: BusReport[] = [];
    bus.tap({ message: () => undefined, report: (report) => reports.push(report) });
    const broken: MemoryStore = Object.assign(Object.create(memory) as MemoryStore, {
      createDreamer: (services: DreamerServices) => createDreamer({ ...services, store: Object.assign(Object.create(memory) as MemoryStore, { due: async () => { if (reports.length === 0) throw new Error('the disk is gone'); return []; } }) }),
    });
    const artoo = artooWith(new ScriptedLLM([dreamer({ rule: 'Count with wc.' })]), { memory: broken, clock, bus });
    await clock.advance(FIVE_MINUTES);
    await expect.poll(() => reports.length).toBe(1);
    expect(reports[0]).toMatchObject({ kind: 'handler_failed', error: { message: 'the disk is gone' }, envelope: { type: 'DreamerAction', from: 'dreamer', taskId: 'dreamer' } });
    await expect.poll(() => clock.pending).toBe(1);
    await clock.advance(FIVE_MINUTES);
    await expect.poll(() => rulesOf(memory)).toEqual(['Count with wc.']);
    expect(reports).toHaveLength(1);
    await artoo.close();
  });
  test('a pass by hand that fails rejects, and is not reported beside it', async () => {
    const clock = new ManualClock(START);
    const bus = createBus();
    const reports: BusReport[] = [];
    bus.tap({ message: () => undefined, report: (report) => reports.push(report) });
    const memory = Object.assign(Object.create(filled(0, clock)) as MemoryStore, { createDreamer: () => ({ start: () => undefined, dream: () => Promise.reject(new Error('the disk is gone')), close: async () => undefined }) });
    const artoo = artooWith(new ScriptedLLM([]), { memory, clock, bus });
    await expect(artoo.dream()).rejects.toThrow('the disk is gone');
    expect(reports).toEqual([]);
    await artoo.close();
  });
  test('does not keep a process alive whose work is done', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const llm = new ScriptedLLM([]);
    const artoo = createArtoo({ models: { brain: llm, tool: llm }, memory: createMemory() });
    expect(timers()).toBe(before);
    await artoo.close();
  });
});
