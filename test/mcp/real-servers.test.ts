import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolConformance } from '../../src/entries/testing.js';
import type { Tool } from '../../src/contracts/tool.js';
import { mcpTools } from '../../src/entries/tools.js';
import { call, useFolders } from '../tools/support.js';
import { effectOf, isAlive, named, overHttp, overStdio, run, serverFile } from './support.js';

const folder = useFolders();

/** The first three lines of an operation that would go on for ten minutes. */
async function progressOf(tool: Tool): Promise<string[]> {
  const controller = new AbortController();
  const lines: string[] = [];
  await call(tool, { duration: 600, steps: 600_000 }, { signal: controller.signal, log: (line) => { if (lines.push(line) === 3) controller.abort(); } });
  return lines.slice(0, 3);
}

describe('server-filesystem over stdio', () => {
  const filesystem = async (root: string) => overStdio([serverFile('filesystem'), root]);

  it('reads, writes and lists in its folder', async () => {
    const root = folder();
    mkdirSync(join(root, 'sub'));
    writeFileSync(join(root, 'a.txt'), 'alpha\n');
    const tools = await mcpTools((await filesystem(root)).client, { trusted: true, prefix: 'fs' });
    expect(tools.problems).toEqual([]);
    expect((await call(named(tools, 'fs_read_text_file'), { path: join(root, 'a.txt') })).text).toBe('alpha\n');
    expect((await call(named(tools, 'fs_list_directory'), { path: root })).text).toContain('[DIR] sub');
    expect(await call(named(tools, 'fs_write_file'), { path: join(root, 'b.txt'), content: 'beta' })).toMatchObject({ ok: true });
    expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe('beta');
  });
  it('takes the effects from its annotations when it is trusted, and from nothing when it is not', async () => {
    const { client } = await filesystem(folder());
    const trusted = await mcpTools(client, { trusted: true });
    const effects = Object.fromEntries(await Promise.all(trusted.map(async (tool) => [tool.name, await effectOf(tool)])));
    expect(effects).toMatchObject({ read_text_file: 'read', list_directory: 'read', create_directory: 'write', write_file: 'irreversible', edit_file: 'irreversible' });
    const strange = await mcpTools(client);
    expect(new Set(await Promise.all(strange.map((tool) => effectOf(tool))))).toEqual(new Set(['irreversible']));
  });
  it('says what the server says of a path outside of its folder, as a failed call', async () => {
    const tools = await mcpTools((await filesystem(folder())).client);
    const result = await call(named(tools, 'read_text_file'), { path: '/etc/hostname' });
    expect(result).toMatchObject({ ok: false, failureClass: 'environmental' });
    expect(result.text).toContain('Access denied');
  });
  it('refuses an input that its schema does not allow before anything is sent', async () => {
    const tools = await mcpTools((await filesystem(folder())).client);
    expect(await named(tools, 'read_text_file').validate({ path: 5 })).toMatchObject({ issues: [{ path: ['path'] }] });
  });
});

describe('server-memory over stdio', () => {
  it('keeps what it is told', async () => {
    const { client } = await overStdio([serverFile('memory')], { MEMORY_FILE_PATH: join(folder(), 'memory.jsonl') });
    const tools = await mcpTools(client, { trusted: true, include: ['read_graph', 'search_nodes'] });
    expect(tools.map(({ name }) => name).sort()).toEqual(['read_graph', 'search_nodes']);
    const found = await call(named(tools, 'search_nodes'), { query: 'nothing of this name' });
    expect(found).toMatchObject({ ok: true });
    expect(JSON.parse(found.text)).toEqual({ entities: [], relations: [] });
  });
});

describe('server-everything over stdio', () => {
  const everything = async () => overStdio([serverFile('everything'), 'stdio']);

  it('turns each kind of content into text', async () => {
    const tools = await mcpTools((await everything()).client, { trusted: true });
    const text = async (name: string, input: object = {}) => (await call(named(tools, name), input)).text;
    expect(await text('echo', { message: 'hi' })).toBe('Echo: hi');
    expect(await text('get-sum', { a: 2, b: 3 })).toContain('5');
    expect(await text('get-tiny-image')).toMatch(/\[image image\/png, \d{3,} bytes, not shown\]/);
    expect(await text('get-resource-links', { count: 2 })).toMatch(/\[link to resource \S+, text\/plain\]/);
    expect(await text('get-resource-reference', { resourceType: 'Text', resourceId: 1 })).toMatch(/\[resource \S+, text\/plain\]\n.+/);
    expect(await text('get-structured-content', { location: 'New York' })).toContain('"temperature"');
  });
  it('leaves out what only runs as a task of the server, and says so', async () => {
    const tools = await mcpTools((await everything()).client);
    expect(tools.problems.map(({ kind, tool }) => [kind, tool])).toEqual([['left-out', 'simulate-research-query']]);
    expect(tools.problems[0]!.message).toContain('runs as a task of the server only');
  });
  it('passes progress on', async () => {
    const tools = await mcpTools((await everything()).client);
    expect(await progressOf(named(tools, 'trigger-long-running-operation'))).toEqual([1, 2, 3].map((step) => `trigger-long-running-operation: ${step} of 600000`));
  });
  it('stops a call at once when the task is aborted, and goes on serving others', async () => {
    const tools = await mcpTools((await everything()).client);
    const controller = new AbortController();
    const long = call(named(tools, 'trigger-long-running-operation'), { duration: 600, steps: 600_000 }, { signal: controller.signal, log: () => controller.abort() });
    expect(await long).toMatchObject({ ok: false, code: 'ARTOO_ABORTED' });
    expect((await call(named(tools, 'echo'), { message: 'still here' })).text).toBe('Echo: still here');
  });
  it('stops a call that takes longer than its time', async () => {
    const tools = await mcpTools((await everything()).client, { timeoutMs: 300, include: ['trigger-long-running-operation'] });
    expect(await call(tools[0]!, { duration: 600, steps: 1 })).toMatchObject({ ok: false, code: 'ARTOO_TOOL_TIMEOUT', failureClass: 'environmental' });
  });
  it('fails the call under way when the server is killed, and every later call at once with the same words', async () => {
    const { client, pid } = await everything();
    const tools = await mcpTools(client);
    const long = named(tools, 'trigger-long-running-operation');
    const killed = await call(long, { duration: 600, steps: 600_000 }, { log: () => { if (isAlive(pid)) process.kill(pid, 'SIGKILL'); } });
    expect(killed).toMatchObject({ ok: false, code: 'ARTOO_TOOL_FAILED', failureClass: 'environmental' });
    const words = 'The MCP server "mcp-servers/everything" cannot be reached: the connection is closed or broken.';
    expect(killed.message).toContain(words);
    expect(killed.message).toContain('whether it was carried out is unknown');
    for (const name of ['echo', 'trigger-long-running-operation']) {
      const later = await run(named(tools, name), { message: 'x' });
      expect(later).toMatchObject({ ok: false, failureClass: 'environmental' });
      expect(later.message).toContain(words);
      expect(later.message).not.toContain('unknown');
    }
    await expect(effectOf(named(tools, 'echo'))).rejects.toThrow(words);
    await expect(mcpTools(client)).rejects.toThrow(words);
  });
  it('passes the suite for tools', async () => {
    const tools = await mcpTools((await everything()).client, { trusted: true });
    for (const { run: hold } of toolConformance({ create: () => named(tools, 'echo'), validInput: { message: 'x' }, invalidInput: { message: 5 } })) await hold();
  });
});

describe('server-everything over streamable HTTP', () => {
  it('answers calls, with progress', async () => {
    const tools = await mcpTools((await overHttp()).client, { trusted: true });
    expect((await call(named(tools, 'echo'), { message: 'over http' })).text).toBe('Echo: over http');
    expect(await progressOf(named(tools, 'trigger-long-running-operation'))).toHaveLength(3);
  });
  it('ends a call whose server dies under it, long before its time is up', async () => {
    const { client, child } = await overHttp();
    const tools = await mcpTools(client, { timeoutMs: 10_000_000 });
    const killed = await call(named(tools, 'trigger-long-running-operation'), { duration: 600, steps: 600_000 }, { log: () => child.kill('SIGKILL') });
    expect(killed).toMatchObject({ ok: false, failureClass: 'environmental' });
    expect(killed.message).toContain('cannot be reached');
    expect((await run(named(tools, 'echo'), { message: 'x' })).message).toContain('cannot be reached');
  });
});
