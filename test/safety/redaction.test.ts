import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArtooError, createArtoo, type Artoo, type ArtooOptions, type Envelope, type FinalResult } from 'artoo';
import { createBus } from 'artoo/bus';
import { createFileLedger, createMemoryLedger } from 'artoo/ledger';
import { createMemory } from 'artoo/memory';
import { CountingIds } from 'artoo/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { calls, Model, passAll } from '../hostile/scene.js';
import { call, Hands, modelThatCalls, scene } from './scene.js';

const SECRETS = { user: 'sk-proj-U1b2c3d4e5f6a7b8c9d0e1f2', tool: 'ghp_T1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8', model: 'AKIAM1B2C3D4E5F6G7H8', argument: 'sk-proj-A1b2c3d4e5f6a7b8c9d0e1f2' };
const READ = { effect: 'read' } as const;
const folders: string[] = [];
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'artoo-masks-'));
  folders.push(dir);
  return dir;
}

/** One process: an artoo over the file ledger of a folder. */
function startIn(dir: string, model: Model, tools: ArtooOptions['tools'], more: Partial<ArtooOptions> = {}): Artoo & { readonly stop: () => Promise<void> } {
  const ledger = createFileLedger({ dir });
  const artoo = createArtoo({ models: { brain: model, tool: model }, tools: tools ?? [], ledger, ids: new CountingIds(), hyperparameters: { maxReplans: 1 }, ...more });
  let stopped = false;
  const stop = async (): Promise<void> => {
    if (stopped) return;
    stopped = true;
    await artoo.close();
    await ledger.close?.();
  };
  open.push(stop);
  return Object.assign(artoo, { stop });
}

async function writtenIn(dir: string): Promise<string> {
  const files = await readdir(dir, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(files.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')));
  return texts.join('\n');
}

const codeOf = async (result: Promise<FinalResult>): Promise<string> => {
  try {
    return (await result).directive;
  } catch (error) {
    return ArtooError.is(error) ? error.code : String(error);
  }
};

/** Everybody says a secret: the user, a tool, the model in its answers and in a call. */
function talkative(): { readonly model: Model; readonly hands: Hands; readonly tools: ArtooOptions['tools'] } {
  const hands = new Hands();
  const model = new Model({
    R1: () => ({ slug: 'work', intent: `Do the work with ${SECRETS.model}.` }),
    R2: () => ({ taskCriteria: ['The answer states the word ok'], subtasks: [{ intent: `Part 0 with ${SECRETS.model}`, context: SECRETS.model, successCriteria: ['The tool output names the word ok'], sequence: 0, tools: ['look', 'note'] }] }),
    R3: (request) => [calls([call('look', 'a')]), calls([call('note', SECRETS.argument)])][request.messages.filter(({ role }) => role === 'tool').length] ?? { status: 'completed', output: `ok ${SECRETS.tool} ${SECRETS.model}` },
    R4a: () => passAll(1, 'ok'),
    R4b: () => ({ summary: `Done with ${SECRETS.model}.`, mergedOutput: `ok ${SECRETS.tool} ${SECRETS.model}`, ...passAll(1, 'ok') }),
  });
  return { model, hands, tools: [hands.tool('look', { ...READ, execute: () => `ok ${SECRETS.tool}` }), hands.tool('note', { effect: 'write' })] };
}

describe('where no secret stands', () => {
  test('in no line of a file ledger, no tap, no event, no memory; the result and the tools have them whole', async () => {
    const dir = await folder();
    const { model, hands, tools } = talkative();
    const bus = createBus();
    const memory = createMemory();
    const tapped: Envelope[] = [];
    const told: Envelope[] = [];
    const iterated: Envelope[] = [];
    bus.tap((envelope) => void tapped.push(envelope));
    const artoo = startIn(dir, model, tools, { bus, memory, onEvent: (envelope) => void told.push(envelope) });
    const run = artoo.run(`work with ${SECRETS.user}`);
    for await (const event of run) iterated.push(event);
    const result = await run.result;
    await artoo.stop();
    const kept = { ledger: await writtenIn(dir), tapped: JSON.stringify(tapped), told: JSON.stringify(told), iterated: JSON.stringify(iterated), memory: JSON.stringify(await memory.list({})) };
    for (const [where, text] of Object.entries(kept)) {
      expect(text.length, where).toBeGreaterThan(500);
      expect(text, where).toContain('\u2588'.repeat(8));
      for (const secret of Object.values(SECRETS)) expect(text, `${where} ${secret}`).not.toContain(secret);
    }
    expect(result.output).toBe(`ok ${SECRETS.tool} ${SECRETS.model}`);
    expect(hands.done).toEqual([`note ${SECRETS.argument}`]);
    expect(JSON.stringify(model.requests)).toContain(SECRETS.user);
    await memory.close();
  });

  test('redact: false keeps everything as it is', async () => {
    const dir = await folder();
    const { model, tools } = talkative();
    const artoo = startIn(dir, model, tools, { redact: false });
    await artoo.run(`work with ${SECRETS.user}`).result;
    await artoo.stop();
    const text = await writtenIn(dir);
    for (const secret of Object.values(SECRETS)) expect(text).toContain(secret);
  });

  test('the host\'s own patterns and literal texts are masked beside the common ones', async () => {
    const dir = await folder();
    const hands = new Hands();
    const model = modelThatCalls([call('look', 'EMP-123456')]);
    const events: Envelope[] = [];
    const artoo = startIn(dir, model, [hands.tool('look', { ...READ, execute: () => `ok EMP-654321 the quiet harbour ${SECRETS.tool} EMP-12` })], { redact: [/\bEMP-\d{6}\b/, 'the quiet harbour'], onEvent: (event) => void events.push(event) });
    await artoo.run('Where is EMP-123456?').result;
    await artoo.stop();
    for (const text of [await writtenIn(dir), JSON.stringify(events)]) {
      expect(text).toContain('EMP-12');
      for (const secret of ['EMP-123456', 'EMP-654321', 'the quiet harbour', SECRETS.tool]) expect(text).not.toContain(secret);
    }
  });
});

describe('a run that is taken up over a record with masks', () => {
  const part = (...list: readonly ReturnType<typeof call>[]): Model => modelThatCalls(list);

  test('goes on where it was: nothing is asked or done again, and nothing diverges', async () => {
    const dir = await folder();
    const hands = new Hands();
    const tools = [hands.tool('look', { ...READ, execute: ({ what }: { what: string }) => { hands.done.push(`look ${what}`); return `ok ${SECRETS.tool}`; } } as never), hands.tool('send'), hands.tool('note', { effect: 'write' })];
    const model = part(call('look', 'a'), call('note', SECRETS.argument), call('send', SECRETS.argument), call('send', 'last'));
    const confirm: ArtooOptions['confirm'] = ({ target }) => (target === 'last' ? 'later' : 'allow');
    const first = startIn(dir, model, tools, { confirm });
    expect(await codeOf(first.run(`work with ${SECRETS.user}`).result)).toBe('ARTOO_APPROVAL_PENDING');
    await first.stop();
    const asked = model.requests.length;
    const second = startIn(dir, model, tools, { confirm });
    const [question] = (await second.pending())[0]!.questions;
    expect(await codeOf((await second.answer(question!.approvalId, 'allow')).result)).toBe('accept');
    expect(hands.done).toEqual(['look a', `note ${SECRETS.argument}`, `send ${SECRETS.argument}`, 'send last']);
    expect(model.requests.slice(asked).map(({ role }) => role)).toEqual(['R3', 'R4a', 'R4b']);
    await second.stop();
    expect(await writtenIn(dir)).not.toContain(SECRETS.argument);
  });

  test.each([['with somebody to ask', { confirm: () => 'allow' as const }], ['with nobody to ask', {}]])('never makes a call with a mask in it, %s: the task is parked and says why', async (_who, more) => {
    const dir = await folder();
    const hands = new Hands();
    const model = part(call('send', SECRETS.argument));
    const first = startIn(dir, model, [hands.tool('send')], { confirm: () => 'later' });
    expect(await codeOf(first.run('work').result)).toBe('ARTOO_APPROVAL_PENDING');
    await first.stop();
    const second = startIn(dir, model, [hands.tool('send')], more);
    const [question] = (await second.pending())[0]!.questions;
    expect(JSON.stringify(question)).not.toContain(SECRETS.argument);
    expect(await codeOf((await second.answer(question!.approvalId, 'allow')).result)).toBe('ARTOO_LEDGER_REDACTED');
    expect(hands.done).toEqual([]);
    expect(await second.pending()).toMatchObject([{ status: 'parked', reason: expect.stringContaining('ARTOO_LEDGER_REDACTED') as string }]);
  });

  test('the same holds for a call that needs no permission and was begun by nobody yet', async () => {
    const whole = createMemoryLedger();
    const model = part(call('note', SECRETS.argument));
    const first = scene(model, [new Hands().tool('note', { effect: 'write' })], { ledger: whole });
    const run = first.artoo.run('work');
    expect(await codeOf(run.result)).toBe('accept');
    await first.artoo.close();
    // The process died right after the model had asked for the call.
    const lines = await whole.read(run.taskId);
    const cut = createMemoryLedger();
    for (const line of lines.slice(0, lines.findIndex(({ kind }) => kind === 'tool.intent'))) await cut.append(line);
    const hands = new Hands();
    const second = scene(model, [hands.tool('note', { effect: 'write' })], { ledger: cut });
    expect(await codeOf(second.artoo.resume(run.taskId).result)).toBe('ARTOO_LEDGER_REDACTED');
    expect(hands.done).toEqual([]);
    await second.artoo.close();
  });

  test('with redact: false it makes the call, secret and all', async () => {
    const dir = await folder();
    const hands = new Hands();
    const model = part(call('send', SECRETS.argument));
    const first = startIn(dir, model, [hands.tool('send')], { confirm: () => 'later', redact: false });
    expect(await codeOf(first.run('work').result)).toBe('ARTOO_APPROVAL_PENDING');
    await first.stop();
    const second = startIn(dir, model, [hands.tool('send')], { redact: false });
    const [question] = (await second.pending())[0]!.questions;
    expect(await codeOf((await second.answer(question!.approvalId, 'allow')).result)).toBe('accept');
    expect(hands.done).toEqual([`send ${SECRETS.argument}`]);
  });

  test.each([[/\d{3,}/], [/[0-9a-f]{4,}/]])('ids, nonces and fingerprints outlive a pattern as broad as %s', async (pattern) => {
    const dir = await folder();
    const hands = new Hands();
    const model = part(call('look', 'x'), call('send', 'one'), call('send', 'two'));
    const tools = [hands.tool('look', { ...READ, execute: () => 'ok 1234567 deadbeef' }), hands.tool('send', { preview: ({ what }: { what: string }) => `sends ${what}, state 1234567 deadbeef` } as never)];
    const options: Partial<ArtooOptions> = { confirm: () => 'later', redact: [pattern] };
    const first = startIn(dir, model, tools, { ...options, ids: { next: (kind) => `${kind}-${globalThis.crypto.randomUUID()}` } });
    expect(await codeOf(first.run('work').result)).toBe('ARTOO_APPROVAL_PENDING');
    await first.stop();
    for (const [count, ending] of ['ARTOO_APPROVAL_PENDING', 'accept'].entries()) {
      const next = startIn(dir, model, tools, options);
      const [question] = (await next.pending())[0]!.questions;
      expect(question?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
      expect(question?.approvalId).toMatch(new RegExp(`/approval/${count}$`));
      expect(question?.preview).not.toContain('1234567');
      expect(await codeOf((await next.answer(question!.approvalId, 'allow')).result), String(count)).toBe(ending);
      await next.stop();
    }
    expect(hands.done).toEqual(['send one', 'send two']);
    expect(model.of('R1')).toHaveLength(1);
    expect(model.of('R2')).toHaveLength(1);
  });
});
