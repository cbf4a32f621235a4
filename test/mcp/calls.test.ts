import { describe, expect, it } from 'vitest';
import { mcpTools } from '../../src/entries/tools.js';
import { fake, fakeServer, only, rawServer, run } from './support.js';

const text = (content: string): object => ({ type: 'text', text: content });
const answering = async (result: unknown, more: object = {}, options: object = {}) => run(await only(await fakeServer([fake('t', more)], () => result), options), {});
/** What the server sends reaches the client as it is. */
async function sending(result: unknown) {
  const client = await rawServer(({ id, method }, send) => {
    if (method === 'tools/list') send({ jsonrpc: '2.0', id, result: { tools: [fake('t')] } });
    if (method === 'tools/call') send({ jsonrpc: '2.0', id, result });
  });
  const [tool] = await mcpTools(client, { timeoutMs: 5_000 });
  return run(tool!, {});
}

describe('a result as text', () => {
  it.each<[string, object, string]>([
    ['texts, line by line', { content: [text('a'), text('b')] }, 'a\nb'],
    ['nothing', { content: [] }, ''],
    ['structure where there is no text', { content: [], structuredContent: { b: 1, a: [true] } }, '{"b":1,"a":[true]}'],
    ['text rather than structure', { content: [text('said')], structuredContent: { a: 1 } }, 'said'],
    ['an image by type and size', { content: [{ type: 'image', mimeType: 'image/png', data: Buffer.alloc(1_000).toString('base64') }] }, '[image image/png, 1000 bytes, not shown]'],
    ['sound by type and size', { content: [{ type: 'audio', mimeType: 'audio/wav', data: Buffer.alloc(5).toString('base64') }] }, '[audio audio/wav, 5 bytes, not shown]'],
    ['the text of a resource', { content: [{ type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text: 'inside' } }] }, '[resource file:///a, text/plain]\ninside'],
    ['bytes of a resource by size', { content: [{ type: 'resource', resource: { uri: 'file:///a', blob: 'AAAA' } }] }, '[resource file:///a, of unknown type, 3 bytes, not shown]'],
    ['a link', { content: [{ type: 'resource_link', uri: 'file:///a\u202e', name: 'n', size: 7 }] }, '[link to resource file:///a, of unknown type, 7 bytes]'],
    ['without what nobody sees', { content: [text('a\u200b\u001b[31mb\u202e')] }, 'ab'],
  ])('%s', async (_what, result, shown) => expect(await answering(result)).toMatchObject({ ok: true, text: shown }));

  it.each([1, 2, 4])('a huge one keeps head and tail within its bytes (characters of %d bytes)', async (width) => {
    const letter = { 1: 'x', 2: 'é', 4: '😀' }[width]!;
    const { ok, text: shown } = await answering({ content: [text(`first ${letter.repeat(400_000)}`), text(`${letter.repeat(300_000)} last`)] }, {}, { maxResultBytes: 10_000 });
    expect([ok, Buffer.byteLength(shown) <= 10_000, Buffer.byteLength(shown) > 9_900]).toEqual([true, true, true]);
    expect(shown.startsWith('first ')).toBe(true);
    expect(shown.endsWith(' last')).toBe(true);
    const [, count] = /\n\[… (\d+) characters left out …\]\n/.exec(shown)!;
    const marker = `\n[… ${count} characters left out …]\n`;
    expect(Number(count)).toBe(6 + 700_000 * letter.length + 1 + 5 - (shown.length - marker.length));
    expect(shown).not.toContain('\ufffd');
  });
  it.each([255, 256, 257, 300, 400, 511, 512, 513])('of %d characters against 256 bytes is whole, or cut and counted right', async (length) => {
    const whole = Array.from({ length }, (_, index) => String.fromCharCode(97 + (index % 26))).join('');
    const { text: shown } = await answering({ content: [text(whole)] }, {}, { maxResultBytes: 256 });
    if (length <= 256) {
      expect(shown).toBe(whole);
      return;
    }
    const [marker, count] = /\n\[… (\d+) characters left out …\]\n/.exec(shown)!;
    const [head, tail] = shown.split(marker) as [string, string];
    expect([whole.startsWith(head), whole.endsWith(tail), head.length + tail.length + Number(count), Buffer.byteLength(shown) <= 256]).toEqual([true, true, length, true]);
  });
  it('of a million small parts is read through', async () => {
    const { ok, text: shown } = await answering({ content: Array.from({ length: 200_000 }, (_, index) => text(String(index))) }, {}, { maxResultBytes: 1_000 });
    expect([ok, shown.startsWith('0\n1\n2\n'), shown.endsWith('\n199998\n199999')]).toEqual([true, true, true]);
  });
});

describe('a failure', () => {
  it.each([['no such customer', 'logical'], ['connect ECONNREFUSED 10.0.0.1:5432', 'environmental'], ['rate limit exceeded', 'environmental'], ['', 'logical']])('that the tool reports keeps its words and its class: %j is %s', async (said, failureClass) => {
    expect(await answering({ content: [text(said)], isError: true })).toMatchObject({ ok: false, failureClass, text: said, message: 'The tool "t" of the MCP server "fake" reported a failure.' });
  });
  it('that the server throws is a failed call', async () => {
    const server = await fakeServer([fake('t')], () => { throw new Error('broken\u202e inside'); });
    expect(await run(await only(server), {})).toMatchObject({ ok: false, failureClass: 'logical', message: expect.stringContaining('refused the call of "t": MCP error -32603: broken inside') });
  });
  it.each<[string, unknown]>([
    ['content that is no list', { content: 'text' }], ['a part that is none', { content: [null] }], ['a part of an unknown type', { content: [{ type: 'video' }] }],
    ['a text that is no text', { content: [{ type: 'text', text: { toString: 1 } }] }], ['an image without data', { content: [{ type: 'image' }] }],
  ])('of protocol, %s, is a failed call that blames the server', async (_what, result) => {
    expect(await sending(result)).toMatchObject({ ok: false, failureClass: 'environmental' });
  });
  it.each<[string, object]>([['another structure', { content: [text('said')], structuredContent: { n: 'x' } }], ['no structure', { content: [text('said')] }]])('against its own output schema, %s, keeps the output and says that it ran', async (_what, result) => {
    const more = { outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } };
    expect(await answering(result, more)).toMatchObject({ ok: false, failureClass: 'environmental', text: 'said', message: expect.stringContaining('ran, but its result is not what its output schema says') });
    expect(await answering({ content: [], structuredContent: { n: 1 } }, more)).toMatchObject({ ok: true, text: '{"n":1}' });
  });
  it('of any object from a client of one\'s own is a failed call', async () => {
    for (const result of [undefined, null, 5, { content: {} }, { content: [{}] }, Object.defineProperty({}, 'content', { get: () => { throw new Error('no'); } })]) {
      const [tool] = await mcpTools({ listTools: async () => ({ tools: [fake('t')] }), callTool: async () => result });
      expect(await run(tool!, {})).toMatchObject({ ok: false });
    }
  });
});

describe('a call', () => {
  it('carries its input to the server as it is, and reports progress in lines', async () => {
    const got: unknown[] = [];
    const server = await fakeServer([fake('t')], async (_name, input, { progress }) => {
      got.push(input);
      await progress(1, 2, 'half\n\u202eway');
      return { content: [] };
    });
    const lines: string[] = [];
    const client = server.client;
    const [tool] = await mcpTools(client);
    await run(tool!, { text: 'ü', deep: { a: [1] } }, { log: (line) => lines.push(line) });
    expect([got, lines]).toEqual([[{ text: 'ü', deep: { a: [1] } }], ['t: 1 of 2, half way']]);
  });
  it('of a flood of progress passes on two hundred lines', async () => {
    const server = await fakeServer([fake('t')], async (_name, _input, { progress }) => {
      for (let step = 0; step < 1_000; step += 1) await progress(step, 1_000);
      await server.client.ping();
      return { content: [] };
    });
    const lines: string[] = [];
    await run(await only(server), {}, { log: (line) => lines.push(line) });
    expect(lines).toHaveLength(200);
  });
  it('that is stopped is cancelled on the server, once', async () => {
    let cancelled: (reason: unknown) => void = () => undefined;
    const heard = new Promise((resolve) => { cancelled = resolve; });
    const controller = new AbortController();
    const server = await fakeServer([fake('t')], (_name, _input, { signal }) => new Promise(() => {
      if (signal.aborted) cancelled(true);
      signal.addEventListener('abort', () => cancelled(true));
      controller.abort();
    }));
    expect(await run(await only(server), {}, { signal: controller.signal })).toMatchObject({ ok: false, code: 'ARTOO_ABORTED' });
    expect(await heard).toBe(true);
  });
  it('that has ended is not cancelled when its signal aborts later', async () => {
    const seen: string[] = [];
    const client = await rawServer(({ id, method }, send) => {
      seen.push(method ?? '');
      if (method === 'tools/list') send({ jsonrpc: '2.0', id, result: { tools: [fake('t')] } });
      if (method === 'tools/call') send({ jsonrpc: '2.0', id, result: { content: [] } });
      if (method === 'ping') send({ jsonrpc: '2.0', id, result: {} });
    });
    const [tool] = await mcpTools(client);
    const controller = new AbortController();
    await tool!.execute({} as never, { signal: controller.signal, workspace: undefined, intentId: 'i', taskId: 't', log: () => undefined, disclose: () => undefined });
    controller.abort();
    await client.ping();
    expect(seen).not.toContain('notifications/cancelled');
  });
  it('a hundred at once each get their own answer', async () => {
    const server = await fakeServer([fake('t')], (_name, { text: given }) => ({ content: [text(String(given))] }));
    const tool = await only(server);
    const results = await Promise.all(Array.from({ length: 100 }, (_, index) => run(tool, { text: `n${index}` })));
    expect(results.map((result) => result.text)).toEqual(Array.from({ length: 100 }, (_, index) => `n${index}`));
  });
  it('under way when the connection closes fails, all of them', async () => {
    const server = await fakeServer([fake('t')], () => new Promise(() => undefined));
    const tool = await only(server);
    const calls = [run(tool, {}), run(tool, {})];
    await expect.poll(() => server.requests.filter((request) => request === 'call t').length).toBe(2);
    await server.server.close();
    for (const result of await Promise.all(calls)) expect(result).toMatchObject({ ok: false, failureClass: 'environmental', message: expect.stringContaining('cannot be reached') });
  });
});
