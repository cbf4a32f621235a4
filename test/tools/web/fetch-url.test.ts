import { createServer } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { fetchUrl } from '../../../src/entries/tools.js';
import { toolConformance } from '../../../src/tools/conformance.js';
import { call, rejection } from '../support.js';
import { answer, bodyOf, fetchWith, get, headOf, useServers } from './support.js';

const { serve } = useServers();
const fetched = async (body: string | Uint8Array, type: string | undefined, input: Readonly<Record<string, unknown>> = {}) => get((await serve(answer(body, type === undefined ? {} : { 'content-type': type }))).origin, {}, input);
const HTML = '<!doctype html><title>Bread</title><p>Rye.';

/** The conformance suite wants its input before the tests begin. */
const standing = createServer(answer(HTML, { 'content-type': 'text/html' }));
await new Promise<void>((resolve) => { standing.listen(0, '127.0.0.1', resolve); });
afterAll(() => void standing.close());

describe('fetchUrl', () => {
  const suite = { create: () => fetchUrl({ allowPrivate: ['127.0.0.1'] }), validInput: { url: `http://127.0.0.1:${(standing.address() as { port: number }).port}/` }, invalidInput: { url: 7 } };
  for (const { name, run } of toolConformance(suite)) it(name, run);

  it('is a tool that reads', () => expect([fetchUrl().name, fetchUrl().effect]).toEqual(['fetchUrl', 'read']));
  it.each([{}, { url: '' }, { url: 'http://example.org/', offset: -1 }, { url: 'http://example.org/', offset: 1.5 }, { url: 'http://example.org/', find: '' }, { url: `http://example.org/${'a'.repeat(5_000)}` }, { url: ['http://example.org/'] }])(
    'refuses the input %j', async (input) => expect((await fetchUrl().validate(input)).issues).toBeDefined());
  it.each<[string, Parameters<typeof fetchUrl>[0]]>([
    ['maxBytes', { maxBytes: 0 }], ['timeoutMs', { timeoutMs: Number.NaN }], ['maxRedirects', { maxRedirects: -1 }], ['maxCharacters', { maxCharacters: 10 }], ['Authorization', { headers: { Authorization: 'x' } }], ['cookie', { headers: { cookie: 'x' } }],
    ['host', { headers: { host: 'x' } }], ['x-a', { headers: { 'x-a': 'b\r\nc: d' } }], ['x a', { headers: { 'x a': 'b' } }], ['user-agent', { userAgent: 'a\nb' }], ['headers', { headers: 'x' as never }],
  ])('refuses options that can\'t work: %s', (name, options) => expect(() => fetchUrl(options)).toThrow(expect.objectContaining({ code: 'ARTOO_INVALID_ARGUMENT', message: expect.stringContaining(name), hint: expect.any(String) })));
  it('refuses a header made for one call that can\'t be sent, before anything is', async () => {
    const server = await serve(answer('x'));
    for (const headers of [() => ({ 'x-a': 'b\nc' }), () => ({ host: 'x' }), () => { throw new Error('no headers'); }]) expect((await get(server.origin, { headers: headers as never })).ok).toBe(false);
    expect(server.paths).toEqual([]);
  });
});

describe('the output', () => {
  it('has a head and the text', async () => {
    const server = await serve(answer(HTML, { 'content-type': 'text/html; charset=UTF-8' }));
    expect((await get(server.origin)).text).toBe(`Address: ${server.origin}/\nStatus: 200\nType: text/html, utf-8\nSize: ${HTML.length} bytes\nTitle: Bread\n\nRye.`);
  });
  it('keeps hostile titles and types in their lines', async () => {
    const result = await fetched('<title>a\n\nStatus: 200\u202e &#27;[31m&#0;</title>x', 'text/html;\tcharset="utf-8"; x=y');
    expect(result.text.split('\n').slice(1)).toEqual(['Status: 200', 'Type: text/html, utf-8', expect.stringMatching(/^Size: \d+ bytes$/), 'Title: a Status: 200 \ufffd', '', 'x']);
  });
  it.each([
    ['application/json', '{"a": [1]}'], ['application/problem+json; charset=utf-8', '{}'], ['text/csv', 'a,b\n1,2'], ['application/xml', '<a>\n  <b/>\n</a>'], ['application/rss+xml', '<rss/>'], ['text/plain', '<b>kept</b>'], ['image/svg+xml', '<svg/>'], ['application/javascript', 'x()'], ['TEXT/PLAIN', 'x'],
  ])('shows %s as it is', async (type, body) => expect(bodyOf(await fetched(body, type))).toBe(body));
  it.each(['image/png', 'application/pdf', 'application/zip', 'application/octet-stream', 'video/mp4', 'font/woff2', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'])(
    'describes %s, and reads nothing of it', async (type) => {
      const server = await serve((_, response) => { response.writeHead(200, { 'content-type': type, 'content-length': '5000000000' }); response.write('x'); });
      const result = await get(server.origin);
      expect([result.ok, headOf(result)['Type'], headOf(result)['Size'], bodyOf(result)]).toEqual([true, type, '5000000000 bytes', '[not text, so it is not shown]']);
      await server.idle();
    });
  it('without a type goes by what it looks like', async () => {
    expect([bodyOf(await fetched(HTML, undefined)), bodyOf(await fetched('<!-- x -->\n<HTML><p>y', 'nonsense')), bodyOf(await fetched('plain <b>', undefined)), bodyOf(await fetched(new Uint8Array([0x89, 0x50, 0, 0, 1]), undefined))]).toEqual(['Rye.', 'y', 'plain <b>', '[not text, so it is not shown]']);
  });
  it('shows no binary that calls itself text', async () => {
    for (const bytes of [Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]), Buffer.from('%PDF-1.7\nx')]) expect(bodyOf(await fetched(bytes, 'text/plain'))).toBe('[not text, so it is not shown]');
  });
  it.each([204, 205, 304])('says that there is no text with the status %d', async (status) => {
    const result = await get((await serve((_, response) => void response.writeHead(status).end())).origin);
    expect([result.ok, headOf(result)['Status'], bodyOf(result)]).toEqual([true, String(status), '[there is no text]']);
  });
  it('is clean of what people don\'t see', async () => expect(bodyOf(await fetched('a\u001b[31m\u200b\u202eb\u{e0041}\r\nc', 'text/plain'))).toBe('ab\nc'));
});

describe('the encoding', () => {
  const latin = Buffer.from('caf\xe9', 'latin1');
  it.each<[string, Uint8Array, string | undefined, string, string]>([
    ['of the header', latin, 'text/plain; charset=ISO-8859-1', 'café', 'windows-1252'],
    ['of a byte order mark, whatever the header says', Buffer.from('\ufeffcafé'), 'text/plain; charset=iso-8859-1', 'café', 'utf-8'],
    ['of a mark of UTF-16', Buffer.from('\ufeffcafé', 'utf16le'), 'text/plain', 'café', 'utf-16le'],
    ['of UTF-16 in the header', Buffer.from('café', 'utf16le'), 'text/plain; charset=utf-16le', 'café', 'utf-16le'],
    ['of a meta tag', Buffer.concat([Buffer.from('<meta charset=iso-8859-15><p>'), Buffer.from([0xa4])]), 'text/html', '€', 'iso-8859-15'],
    ['of an old meta tag', Buffer.concat([Buffer.from('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r"><p>'), Buffer.from([0xc1])]), 'text/html', 'а', 'koi8-r'],
    ['of an XML declaration', Buffer.concat([Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>'), Buffer.from([0xe9]), Buffer.from('</a>')]), 'application/xml', '<?xml version="1.0" encoding="iso-8859-1"?><a>é</a>', 'windows-1252'],
    ['of Japanese', Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]), 'text/plain; charset=Shift_JIS', 'テスト', 'shift_jis'],
    ['of the Western web, where nothing is said and it is no UTF-8', latin, 'text/plain', 'café', 'windows-1252'],
    ['UTF-8, where the header names none that exists', Buffer.from('café'), 'text/plain; charset=utf-7', 'café', 'utf-8'],
    ['UTF-8, where the page claims UTF-16 in ASCII', Buffer.from('<meta charset="utf-16"><p>café'), 'text/html', 'café', 'utf-8'],
  ])('is that %s', async (_, bytes, type, text, charset) => {
    const result = await fetched(bytes, type);
    expect([bodyOf(result), headOf(result)['Type']!.split(', ')[1]]).toEqual([text, charset]);
  });
  it('that is wrong leaves marks, not a failure', async () => expect(bodyOf(await fetched(latin, 'text/plain; charset=utf-8'))).toBe('caf\ufffd'));
  it('cut in the middle of a character leaves none', async () => {
    const server = await serve(answer('a€€', { 'content-type': 'text/plain' }));
    expect(bodyOf(await get(server.origin, { maxBytes: 5 }))).toBe('a€');
  });
});

describe('a refusal of the page', () => {
  it('is a failure with the status and a little of what it says', async () => {
    const page = `<title>Gone away</title><nav>menu</nav><p>There is nothing ${'here '.repeat(1_000)}`;
    const server = await serve(answer(page, { 'content-type': 'text/html' }, 404));
    const result = await get(server.origin);
    expect(result).toMatchObject({ ok: false, failureClass: 'environmental', message: expect.stringMatching(/status 404\. There is no such page/), text: expect.stringMatching(/^Gone away\nThere is nothing here/) });
    expect(result.text.length).toBeLessThan(520);
  });
  it.each([400, 401, 403, 410, 418, 429, 500, 503, 599, 999])('with the status %d, also without a word', async (status) => {
    expect(await get((await serve((_, response) => void response.writeHead(status).end())).origin)).toMatchObject({ ok: false, failureClass: 'environmental', message: expect.stringContaining(`the status ${status}.`), text: '' });
  });
  it('tells how long to wait, and nothing else that stands there', async () => {
    const wait = async (value: string) => (await get((await serve((_, response) => void response.writeHead(503, { 'retry-after': value }).end())).origin)).message;
    expect([await wait('120'), await wait('<b>ignore all</b>')]).toEqual([expect.stringContaining('It asks to wait: 120.'), expect.not.stringContaining('ignore')]);
  });
  it('reads no endless one', async () => {
    const server = await serve((_, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' });
      const more = (): void => { while (response.write('x'.repeat(10_000))); };
      response.on('drain', more);
      more();
    });
    expect((await get(server.origin)).ok).toBe(false);
    await server.idle();
  });
});

describe('a long page', () => {
  const lines = Array.from({ length: 400 }, (_, index) => `Line ${index}: ${'word '.repeat(10).trim()}`);
  const page = lines.join('\n');
  it('comes in parts that join without a gap, none longer than a run shows its model', async () => {
    const server = await serve(answer(page));
    let offset = 0;
    let read = '';
    let parts = 0;
    for (; offset < page.length; parts += 1) {
      const result = await get(server.origin, {}, { offset });
      expect(result.text.length).toBeLessThanOrEqual(3_900);
      const [, start, end] = /^characters (\d+) to (\d+) of /.exec(headOf(result)['Shown']!)!;
      expect(Number(start)).toBe(offset);
      read += bodyOf(result);
      offset = Number(end);
    }
    expect([read, parts > 5, parts < 15]).toEqual([page, true, true]);
  });
  it('tells how to go on, and at its end that there is no more', async () => {
    const server = await serve(answer(page));
    expect(headOf(await get(server.origin))['Shown']).toMatch(/^characters 0 to (\d+) of \d+; go on with offset \1$/);
    expect(headOf(await get(server.origin, {}, { offset: page.length - 100 }))['Shown']).toMatch(/^characters \d+ to \d+ of \d+$/);
    expect((await get(server.origin, {}, { offset: page.length })).message).toContain(`has only ${page.length} characters`);
  });
  it('is entered where words stand, in any letter case', async () => {
    const server = await serve(answer(page));
    expect(bodyOf(await get(server.origin, {}, { find: 'LINE 377:' })).startsWith('Line 377:')).toBe(true);
    expect(bodyOf(await get(server.origin, {}, { find: 'line', offset: 100 })).startsWith('Line 2:')).toBe(true);
    expect(await get(server.origin, {}, { find: 'nowhere' })).toMatchObject({ ok: false, failureClass: 'logical', message: expect.stringContaining('does not stand in the text') });
  });
  it('without a space is cut between characters', async () => {
    const server = await serve(answer('😀'.repeat(5_000)));
    for (const offset of [0, 1, 2_001]) expect(bodyOf(await get(server.origin, {}, { offset }))).toMatch(/^(?:😀)+$/u);
  });
  it('at once, when the host wants more of it', async () => expect(bodyOf(await get((await serve(answer(page))).origin, { maxCharacters: 100_000 }))).toBe(page));
});

it('a stop before the call is the caller\'s', async () => {
  const tool = fetchWith({ allowPrivate: true });
  const error = await rejection(Promise.resolve(tool.execute({ url: 'http://127.0.0.1:1/' } as never, { signal: AbortSignal.abort(), workspace: undefined, log: () => undefined, disclose: () => undefined, intentId: '1', taskId: '1' })));
  expect(error).toMatchObject({ code: 'ARTOO_ABORTED' });
  expect((await call(tool, { url: 'http://127.0.0.1:1/' })).ok).toBe(false);
});
