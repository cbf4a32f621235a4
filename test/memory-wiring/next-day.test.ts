import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemory, openMemory, type MemoryStore } from 'artoo/memory';
import { ManualClock } from 'artoo/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { artooWith, DAY, lookIn, megram, modelThat, OwnIds, payloadsOf, planOf, plannersPrompts, promptOf, runTask, START, toolsOffered } from './support.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const ram = (): MemoryStore => createMemory({ clock: { now: () => START } });
/** Yesterday `read` got stuck and `search` did it. */
const table = { 'z.txt': 'total 42' };
const planner = (prompt: string): object => (/MUST NOT use tool "read"|MUST NOT use tools: read/.test(prompt) ? planOf('search', 'z.txt') : planOf('read', 'z.txt'));

describe('a task that failed yesterday', () => {
  const backends: [string, () => Promise<() => Promise<MemoryStore>>][] = [
    ['in RAM', async () => {
      const memory = createMemory({ clock: { now: () => START } });
      return async () => memory;
    }],
    ['on disk, closed and opened again', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'artoo-next-day-'));
      cleanups.push(() => rm(folder, { recursive: true, force: true }));
      let open: MemoryStore | undefined;
      cleanups.push(async () => open?.close());
      return async () => {
        await open?.close();
        open = await openMemory({ path: join(folder, 'memory'), clock: { now: () => START } });
        return open;
      };
    }],
  ];
  test.each(backends)('is planned differently today without one more model call, memory %s', async (_where, make) => {
    const next = await make();
    const day = async (name: string, at: number) => {
      const llm = modelThat(planner);
      const read = lookIn('read', {});
      const artoo = artooWith(llm, { memory: await next(), tools: [read, lookIn('search', table)], ids: new OwnIds(name), clock: new ManualClock(at) });
      const { result, events } = await runTask(artoo);
      await artoo.close();
      return { result, events, read, planned: llm.requests.filter(({ role }) => role === 'R2').length, calls: llm.requests.length, prompts: plannersPrompts(llm) };
    };
    const yesterday = await day('yesterday', START);
    expect(yesterday.result).toMatchObject({ directive: 'accept', replans: 1 });
    expect(yesterday.read.calls).toEqual(['z.txt']);
    const today = await day('today', START + DAY);
    expect(today.result).toMatchObject({ directive: 'accept', output: 'total 42', replans: 0 });
    expect(today.read.calls).toEqual([]);
    // One plan, two turns of the executor, two verdicts: what a run without a past takes at least.
    expect(today).toMatchObject({ planned: 1, calls: 5 });
    expect(toolsOffered(today.prompts[0]!)).toEqual(['search']);
    expect(payloadsOf(today.events, 'MemoryReply')[0]?.constraints[0]).toMatchObject({ kind: 'must_not', tool: 'read', source: 'memory of tool "read"' });
  });

  test('leaves its lesson in the next plan’s prompt, fenced as data', async () => {
    const memory = ram();
    const llm = modelThat(planner);
    const artoo = artooWith(llm, { memory, tools: [lookIn('read', {}), lookIn('search', table)] });
    await runTask(artoo);
    await runTask(artoo);
    const prompt = plannersPrompts(llm).at(-1)!;
    const fences = /<<<data (\w+) memory>>>\n[\s\S]*?\n<<<end \1>>>/g;
    expect((prompt.match(fences) ?? []).join('\n')).toContain('Worked: search on z.txt (ok: total 42)');
    expect(prompt.replace(fences, '')).not.toContain('Worked:');
    expect(llm.requests.every(({ system }) => !system.includes('Worked:'))).toBe(true);
    await artoo.close();
  });
});

describe('MUST NOT', () => {
  const against = (store: MemoryStore): void => {
    for (const index of [1, 2, 3]) store.append(megram(`good/${index}`, { entity: `path:good-${index}.txt`, state: 'break_symmetry', f: 0.75, sigma: 1 }));
    store.append(megram('bad', { entity: 'path:z.txt', state: 'change_approach', f: 0.85, sigma: -1 }));
  };

  test('about a tool on one target is refused in the plan, and the tool stays usable elsewhere', async () => {
    const memory = ram();
    against(memory);
    const llm = modelThat((prompt) => planOf('read', prompt.includes('must not be used on') ? 'y.txt' : 'z.txt'));
    const read = lookIn('read', { 'y.txt': 'total 7', 'z.txt': 'total 1' });
    const artoo = artooWith(llm, { memory, tools: [read] });
    const { result, events } = await runTask(artoo);
    expect(result).toMatchObject({ directive: 'accept', output: 'total 7' });
    expect(read.calls).toEqual(['y.txt']);
    expect(payloadsOf(events, 'SubTask')[0]).toMatchObject({ tools: ['read'], blockedTools: [], blockedTargets: [], blockedPairs: [{ tool: 'read', target: 'z.txt' }] });
    await artoo.close();
  });

  test('about a tool on one target is refused at the call when the plan hides it', async () => {
    const memory = ram();
    against(memory);
    const hidden = planOf('read', 'z.txt') as { subtasks: { targets?: unknown }[] };
    delete hidden.subtasks[0]!.targets;
    const read = lookIn('read', { 'z.txt': 'total 1' });
    const artoo = artooWith(modelThat(() => hidden), { memory, tools: [read], hyperparameters: { maxReplans: 1 } });
    const { result } = await runTask(artoo);
    expect(result.directive).toBe('abandon');
    expect(read.calls).toEqual([]);
    await artoo.close();
  });

  test('about a tool reaches the call although the model plans and calls the tool all the same', async () => {
    const memory = ram();
    memory.append(megram('bad', { state: 'change_approach', f: 0.85, sigma: -1 }));
    const read = lookIn('read', { 'z.txt': 'total 1' });
    const smuggled = { taskCriteria: ['The total is stated'], subtasks: [{ intent: 'Find the total in z.txt with read', successCriteria: ['The tool output shows the total'], sequence: 0, tools: ['search'] }] };
    const llm = modelThat((prompt) => (prompt.includes('"read" must not be used') ? smuggled : planOf('read', 'z.txt')));
    const artoo = artooWith(llm, { memory, tools: [read, lookIn('search', {})], hyperparameters: { maxReplans: 1 } });
    const { events } = await runTask(artoo);
    expect(plannersPrompts(llm)[1]).toContain('tool "read" must not be used');
    expect(payloadsOf(events, 'SubTask')[0]?.blockedTools).toEqual(['read']);
    expect(read.calls).toEqual([]);
    await artoo.close();
  });

  test('that would leave no tool is weakened, logged where events are seen, and takes the tool from nobody', async () => {
    const memory = ram();
    memory.append(megram('bad', { state: 'change_approach', f: 0.85, sigma: -1 }));
    const read = lookIn('read', { 'y.txt': 'total 7' });
    const llm = modelThat(() => planOf('read', 'y.txt'));
    const artoo = artooWith(llm, { memory, tools: [read] });
    const { result, events } = await runTask(artoo);
    expect(result.directive).toBe('accept');
    expect(payloadsOf(events, 'MemoryReply')[0]?.log).toEqual(['MUST NOT use read is weakened to CAUTION: it would leave no tool at all.']);
    expect(plannersPrompts(llm)[0]).toContain('CAUTION: it is the only tool left.');
    await artoo.close();
  });

  test('of memory and of a directive together leave a tool as well', async () => {
    const memory = ram();
    // Memory speaks against search; the first round then takes read away too.
    memory.append(megram('bad', { space: 'tool:search', state: 'change_approach', f: 0.85, sigma: -1 }));
    const llm = modelThat((prompt) => (prompt.includes('The last plan failed') ? planOf('search', 'z.txt') : planOf('read', 'z.txt')));
    const artoo = artooWith(llm, { memory, tools: [lookIn('read', {}), lookIn('search', table)] });
    const { result, events } = await runTask(artoo);
    expect(result).toMatchObject({ directive: 'accept', output: 'total 42' });
    expect(payloadsOf(events, 'MemoryQuery').map(({ tools }) => tools)).toEqual([['read', 'search'], ['search']]);
    expect(payloadsOf(events, 'MemoryReply')[1]?.log).toEqual(['MUST NOT use search is weakened to CAUTION: it would leave no tool at all.']);
    await artoo.close();
  });
});

describe('CAUTION', () => {
  const mixed = (store: MemoryStore): void => {
    store.append(megram('good', { state: 'break_symmetry', f: 0.85, sigma: 1 }));
    store.append(megram('bad', { entity: 'path:b.txt', state: 'change_approach', f: 0.85, sigma: -1 }));
  };

  test.each([['allow', 'accept', ['y.txt']], ['deny', 'abandon', []]] as const)('has each call confirmed; %s ends in %s', async (decision, directive, calls) => {
    const memory = ram();
    mixed(memory);
    const read = lookIn('read', { 'y.txt': 'total 7' });
    const asked: string[] = [];
    const artoo = artooWith(modelThat(() => planOf('read', 'y.txt')), {
      memory, tools: [read, lookIn('search', {})], hyperparameters: { maxReplans: 1 },
      confirm: ({ tool, reason }) => {
        asked.push(`${tool}: ${reason}`);
        return decision;
      },
    });
    const { result } = await runTask(artoo);
    expect(result.directive).toBe(directive);
    expect(read.calls).toEqual(calls);
    expect(asked[0]).toBe('read: experience with this tool is mixed');
    await artoo.close();
  });

  test('on every tool is no ban where nobody is there to confirm', async () => {
    const memory = ram();
    mixed(memory);
    const llm = modelThat(() => planOf('read', 'y.txt'));
    const artoo = artooWith(llm, { memory, tools: [lookIn('read', { 'y.txt': 'total 7' })] });
    const { result, events } = await runTask(artoo);
    expect(result.directive).toBe('accept');
    expect(payloadsOf(events, 'SubTask')[0]?.cautionTools).toEqual([]);
    expect(plannersPrompts(llm)[0]).toContain('CAUTION with tool "read"');
    await artoo.close();
  });
});

describe('rules and relatives', () => {
  const rule = (change: object) => megram('rule', { level: 'C', k: 0, state: 'promoted', content: 'Use read first.', ...change });

  test('a rule is shown; live evidence that points the other way silences it, and the event says so', async () => {
    const told = async (live: number) => {
      const memory = ram();
      memory.append(rule({ space: 'intent:find_total', entity: 'env:local' }));
      for (let index = 0; index < live; index += 1) memory.append(megram(`live/${index}`, { space: 'intent:find_total', entity: 'env:local', state: 'abandon', f: 0.95, sigma: -1 }));
      const llm = modelThat(() => planOf('search', 'z.txt'));
      const artoo = artooWith(llm, { memory, tools: [lookIn('search', table)] });
      const { events } = await runTask(artoo);
      await artoo.close();
      return { prompt: plannersPrompts(llm)[0]!, log: payloadsOf(events, 'MemoryReply')[0]?.log?.join() ?? '' };
    };
    const quiet = await told(0);
    expect(quiet.prompt).toContain('SHOULD PREFER, by a rule of experience');
    expect(quiet.prompt).toContain('Use read first.');
    const contradicted = await told(2);
    expect(contradicted.prompt).not.toContain('SHOULD PREFER');
    expect(contradicted.log).toContain('The rule rule about tasks of the kind "find_total" is left out');
  });

  test.each([
    ['in other words', 'Sum up the invoices of the quarter', 'sum_invoices', 'Find the total of the invoices of the quarter', 'quarter_total'],
    ['in Chinese', '统计季度发票的总额', 'task_a1', '计算季度发票总额', 'task_b2'],
  ])('a task named differently finds its past: %s', async (_how, yesterday, slug, today, otherSlug) => {
    const memory = ram();
    const llm = modelThat(() => planOf('search', 'z.txt'));
    const artoo = artooWith(llm, { memory, tools: [lookIn('search', table)] });
    await runTask(artoo, { intent: yesterday, slug });
    const { events } = await runTask(artoo, { intent: today, slug: otherSlug });
    const [reply] = payloadsOf(events, 'MemoryReply');
    expect(reply?.potentials.map(({ tag }) => tag.space)).toContain(`intent:${slug}`);
    expect(promptOf(llm.requests.filter(({ role }) => role === 'R2').at(-1)!)).toContain(`Asked: ${yesterday}`);
    await artoo.close();
  });

  test('an embedding of the host finds relatives that share no word', async () => {
    const memory = ram();
    const embedded: string[] = [];
    const embed = (text: string): number[] => {
      embedded.push(text);
      return /total|Summe/.test(text) ? [1, 0.1] : [0, 1];
    };
    const llm = modelThat(() => planOf('search', 'z.txt'));
    const artoo = artooWith(llm, { memory, tools: [lookIn('search', table)], embed });
    await runTask(artoo, { intent: 'Find the total', slug: 'find_total' });
    const { events } = await runTask(artoo, { intent: 'Ermittle die Summe', slug: 'summe' });
    expect(payloadsOf(events, 'MemoryReply')[0]?.potentials.map(({ tag }) => tag.space)).toContain('intent:find_total');
    expect(new Set(embedded).size).toBe(embedded.length);
    await artoo.close();
  });
});
