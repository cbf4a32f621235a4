import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchUrlOver } from '../../../src/adapters/node-web.js';
import { nodeWebTransport } from '../../../src/adapters/node-web-transport.js';
import { call, rejection } from '../support.js';
import { answer, bodyOf, fetchWith, get, headOf, redirect, SECURE_CERTIFICATE, useServers } from './support.js';

const { serve, serveRaw, serveSecure } = useServers();

describe('F48: redirects', () => {
  it('are followed, relative ones too, and the head says where the answer came from', async () => {
    const server = await serve(({ url }, response) => (url === '/a' ? redirect(response, 'sub/b') : url === '/sub/b' ? redirect(response, '/c?x=1#part', 307) : response.end('there')));
    const result = await get(`${server.origin}/a`);
    expect([bodyOf(result), headOf(result)['Address'], headOf(result)['Asked for']]).toEqual(['there', `${server.origin}/c?x=1`, `${server.origin}/a`]);
    expect(server.paths).toEqual(['/a', '/sub/b', '/c?x=1']);
  });
  it('in a circle end the call', async () => {
    const server = await serve(({ url }, response) => redirect(response, url === '/a' ? '/b' : '/a'));
    expect(await get(`${server.origin}/a`)).toMatchObject({ ok: false, failureClass: 'environmental', message: expect.stringContaining('leads in a circle') });
    expect(server.paths).toEqual(['/a', '/b']);
  });
  it('beyond the limit end the call, with the last address', async () => {
    const server = await serve(({ url }, response) => redirect(response, `/${Number(url!.slice(1)) + 1}`));
    expect(await get(`${server.origin}/0`, { maxRedirects: 3 })).toMatchObject({ ok: false, failureClass: 'environmental', message: expect.stringMatching(/redirects more than 3 times, last to .*\/4"/) });
    expect(server.paths).toEqual(['/0', '/1', '/2', '/3']);
    expect((await get(`${server.origin}/0`, { maxRedirects: 0 })).message).toContain('more than 0 times');
  });
  it('to a private place are refused, also from a place that is allowed', async () => {
    const secret = await serve(answer('secret'));
    const targets = [secret.origin, `http://localhost:${secret.port}/`, `http://2130706433:${secret.port}/`, `http://[::ffff:127.0.0.1]:${secret.port}/`, `//127.1:${secret.port}/`, `http://inner.example.org:${secret.port}/`];
    const server = await serve(({ url }, response) => redirect(response, targets[Number(url!.slice(1))]!));
    for (const index of targets.keys()) {
      const result = await call(fetchWith({ allowPrivate: [server.host] }, { resolve: async () => ['127.0.0.1'] }), { url: `${server.origin}/${index}` });
      expect(result).toMatchObject({ ok: false, failureClass: 'logical', message: expect.stringContaining('private addresses are refused') });
    }
    expect([secret.paths, server.paths.length]).toEqual([[], targets.length]);
  });
  it('to another scheme or with a password are not followed', async () => {
    const targets = ['file:///etc/passwd', 'javascript:alert(1)', 'ftp://example.org/', 'http://user:secret@127.0.0.1/', 'http://', 'http:\\\\x', ''];
    const server = await serve(({ url }, response) => redirect(response, targets[Number(url!.slice(1))]!));
    for (const index of targets.keys()) expect(await get(`${server.origin}/${index}`)).toMatchObject({ ok: false, failureClass: 'environmental', message: expect.not.stringContaining('secret') });
  });
  it('away from a host that is vouched for are not followed: nobody vouched for where they lead', async () => {
    const outside = await serve(answer('outside'));
    const server = await serve(({ url }, response) => (url === '/out' ? redirect(response, `${outside.origin}/?stolen`) : url === '/in' ? redirect(response, '/end') : response.end('inside')));
    const options = { allowHosts: [server.host] };
    expect(await get(`${server.origin}/out`, options)).toMatchObject({ ok: false, failureClass: 'logical', message: expect.stringMatching(/redirects to another host.*Call that address itself/) });
    expect(bodyOf(await get(`${server.origin}/in`, options))).toBe('inside');
    expect(outside.paths).toEqual([]);
  });
  it('take headers only to whom they are for', async () => {
    const other = await serve(answer('x'));
    const server = await serve((_, response) => redirect(response, other.origin));
    await get(server.origin, { headers: ({ host }) => (host === server.host ? { Authorization: 'Bearer k', 'X-Api-Key': 'k' } : { 'x-plain': 'y' }) });
    expect([server.requests[0]!.headers.authorization, server.requests[0]!.headers['x-api-key']]).toEqual(['Bearer k', 'k']);
    expect([other.requests[0]!.headers.authorization, other.requests[0]!.headers['x-api-key'], other.requests[0]!.headers['x-plain']]).toEqual([undefined, undefined, 'y']);
  });
  it('to nowhere are a failure with the status', async () => {
    const server = await serve((_, response) => void response.writeHead(302).end('moved'));
    expect(await get(server.origin)).toMatchObject({ ok: false, failureClass: 'environmental', message: expect.stringContaining('status 302, a redirect to nowhere') });
  });
});

describe('F48: names and private addresses', () => {
  it('are looked up once for each hop, and only what was checked is connected to: a second answer changes nothing', async () => {
    const answers = ['93.184.216.34', '127.0.0.1'];
    const connected: (readonly string[])[] = [];
    const tool = fetchUrlOver({}, {
      resolve: async () => [answers.shift()!],
      get: async ({ addresses }) => { connected.push(addresses); return { status: 200, headers: new Map(), body: Buffer.from('x'), truncated: false }; },
    });
    expect([(await call(tool, { url: 'http://rebind.example.org/' })).ok, connected, answers]).toEqual([true, [['93.184.216.34']], ['127.0.0.1']]);
    expect((await call(tool, { url: 'http://rebind.example.org/' })).message).toContain('private addresses are refused');
    expect(connected.length).toBe(1);
  });
  it('are not looked up by the connection: it goes to the given address, and to no other', async () => {
    const server = await serve(answer('x'));
    const url = new URL(`http://no-such-name.invalid:${server.port}/`);
    const open = (addresses: readonly string[]) => nodeWebTransport({ resolve: async () => { throw new Error('looked up'); } }).get({ url, addresses, headers: {}, maxBytes: 10, wanted: () => 10, signal: new AbortController().signal });
    expect((await open(['127.0.0.1'])).status).toBe(200);
    expect(await rejection(open(['127.0.0.77']))).toMatchObject({ code: 'ARTOO_TOOL_FAILED', message: expect.stringContaining('refused') });
    expect(server.paths).toEqual(['/']);
  });
  it('are looked up anew after a redirect to themselves, and refused when they have become private', async () => {
    const server = await serve((_, response) => redirect(response, '/again'));
    const asked: string[] = [];
    const options = { allowPrivate: [`first.example.org:${server.port}`] };
    const result = await call(fetchWith(options, { resolve: async (host) => { asked.push(host); return ['127.0.0.1']; } }), { url: `http://first.example.org:${server.port}/` });
    expect(result.message).toContain('leads in a circle');
    const hop = await serve((_, response) => redirect(response, `http://second.example.org:${server.port}/`));
    expect((await call(fetchWith({ allowPrivate: [hop.host] }, { resolve: async () => ['127.0.0.1'] }), { url: hop.origin })).message).toContain('private addresses are refused');
    expect(asked.length).toBe(2);
  });
  it('keep their own in the request, while the connection goes to the address', async () => {
    const server = await serve(answer('x'));
    await call(fetchWith({ allowPrivate: true }, { resolve: async () => ['127.0.0.1'] }), { url: `http://Wiki.Example.org.:${server.port}/p%20q?a=b` });
    expect([server.requests[0]!.headers.host, server.paths]).toEqual([`wiki.example.org:${server.port}`, ['/p%20q?a=b']]);
  });
  it.each([
    ['without an address', async () => [], /has no address/], ['that nobody knows', async () => { throw Object.assign(new Error('x'), { code: 'ENOTFOUND' }); }, /the name is not known \(ENOTFOUND\)/],
    ['whose service is silent', async () => { throw Object.assign(new Error('x'), { code: 'EAI_AGAIN' }); }, /did not answer \(EAI_AGAIN\)/], ['whose look-up throws anything', async () => { throw 'odd'; }, /odd/],
  ])('%s fail as the surroundings\' fault', async (_, resolve, message) => {
    expect(await call(fetchWith({}, { resolve }), { url: 'http://nowhere.example.org/' })).toMatchObject({ ok: false, failureClass: 'environmental', message: expect.stringMatching(message) });
  });
  it('whose look-up never ends stop at the time limit and at an abort', async () => {
    const tool = (timeoutMs: number) => fetchWith({ timeoutMs }, { resolve: () => new Promise(() => undefined) });
    expect(await call(tool(20), { url: 'http://slow.example.org/' })).toMatchObject({ ok: false, failureClass: 'environmental', message: expect.stringContaining('within 20 ms') });
    const controller = new AbortController();
    const pending = call(tool(10_000), { url: 'http://slow.example.org/' }, { signal: controller.signal });
    controller.abort();
    expect((await pending).code).toBe('ARTOO_ABORTED');
  });
  it('with several addresses fall back from one that does not answer', async () => {
    const server = await serve(answer('second'));
    const result = await call(fetchWith({ allowPrivate: true }, { resolve: async () => ['127.9.9.9', '127.0.0.1'] }), { url: `http://two.example.org:${server.port}/` });
    expect(bodyOf(result)).toBe('second');
  });
});

describe('secure connections', () => {
  const here = { resolve: async () => ['127.0.0.1'] };
  it('check the certificate against the name, not the address', async () => {
    const server = await serveSecure(answer('safe'));
    const fetchFrom = (host: string, certificates?: string) => call(fetchWith({ allowPrivate: true }, { ...here, ...(certificates === undefined ? {} : { certificates }) }), { url: `https://${host}:${server.port}/` });
    expect(bodyOf(await fetchFrom('secure.example.org', SECURE_CERTIFICATE))).toBe('safe');
    expect(await fetchFrom('other.example.org', SECURE_CERTIFICATE)).toMatchObject({ ok: false, failureClass: 'environmental', message: expect.stringContaining('belongs to another host') });
    expect(await fetchFrom('secure.example.org')).toMatchObject({ ok: false, failureClass: 'environmental', message: expect.stringContaining('signed by itself') });
    expect(server.paths).toEqual(['/']);
  });
  it('fail in words where the other side speaks plain HTTP, and the other way round', async () => {
    const plain = await serve(answer('x'));
    expect(await get(`https://127.0.0.1:${plain.port}/`)).toMatchObject({ ok: false, failureClass: 'environmental', message: expect.stringContaining('no secure connection') });
    const secure = await serveSecure(answer('x'));
    expect(await get(`http://127.0.0.1:${secure.port}/`)).toMatchObject({ ok: false, failureClass: 'environmental' });
  });
});

describe('F48: size', () => {
  it('is limited for a body without end: what came until then is shown, and the connection is closed', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const more = (): void => { while (response.write('x'.repeat(10_000))); };
      response.on('drain', more);
      more();
    });
    const result = await get(server.origin, { maxBytes: 50_000, maxCharacters: 100_000 });
    expect([result.ok, bodyOf(result).length, headOf(result)['Size'], headOf(result)['Cut']]).toEqual([true, 50_000, 'more than 50000 bytes', 'there is more than was read; the text is the beginning']);
    await server.idle();
  });
  it('at the limit exactly is not cut', async () => {
    const server = await serve(answer('x'.repeat(1_000)));
    expect(headOf(await get(server.origin, { maxBytes: 1_000 }))).not.toHaveProperty('Cut');
    expect(headOf(await get(server.origin, { maxBytes: 999 }))).toHaveProperty('Cut');
  });
  it.each([['gzip', gzipSync], ['br', brotliCompressSync], ['deflate', deflateSync], ['x-gzip', gzipSync]] as const)('of what %s unpacks to is limited: a bomb is refused', async (encoding, pack) => {
    const bomb = pack(Buffer.alloc(20_000_000));
    const server = await serve(answer(bomb, { 'content-type': 'text/plain', 'content-encoding': encoding }));
    expect(await get(server.origin)).toMatchObject({ ok: false, failureClass: 'environmental', message: expect.stringContaining('decompression bomb') });
    await server.idle();
  });
  it('of a bomb in a bomb too, and a pile of packings is not even begun', async () => {
    const twice = gzipSync(gzipSync(Buffer.alloc(20_000_000)));
    expect((await get((await serve(answer(twice, { 'content-encoding': 'gzip, gzip' }))).origin)).message).toContain('decompression bomb');
    expect((await get((await serve(answer(twice, { 'content-encoding': 'gzip, gzip, gzip' }))).origin)).message).toContain('can\'t be unpacked');
  });
  it.each([['gzip', gzipSync], ['br', brotliCompressSync]] as const)('of honest text that is packed well (%s) is cut at the limit, not refused', async (encoding, pack) => {
    const text = Array.from({ length: 60_000 }, (_, index) => `line ${index} ${(index * 7_919) % 104_729}`).join('\n');
    const server = await serve(answer(pack(text), { 'content-type': 'text/plain', 'content-encoding': encoding }));
    const result = await get(server.origin, { maxBytes: 600_000, maxCharacters: 1_000_000 });
    expect([headOf(result)['Size'], headOf(result)['Cut'] !== undefined, text.slice(0, 600_000).trim() === bodyOf(result)]).toEqual(['more than 600000 bytes', true, true]);
  });
  it('on the wire is limited where unpacking yields nothing', async () => {
    const empty = gzipSync('');
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
      const more = (): void => { while (response.write(Buffer.concat(Array.from({ length: 500 }, () => empty)))); };
      response.on('drain', more);
      more();
    });
    expect((await get(server.origin, { maxBytes: 30_000 })).ok).toBe(true);
    await server.idle();
  });
  it.each([['gzip', gzipSync('packed')], ['deflate', deflateSync('packed')], ['deflate', deflateRawSync('packed')], ['br', brotliCompressSync('packed')], ['GZIP', gzipSync('packed')], ['identity', Buffer.from('packed')], ['deflate, gzip', gzipSync(deflateSync('packed'))]])(
    'packed as %s is unpacked', async (encoding, body) => expect(bodyOf(await get((await serve(answer(body, { 'content-type': 'text/plain', 'content-encoding': encoding }))).origin))).toBe('packed'));
  it.each([['gzip', gzipSync('packed, and then cut').subarray(0, 20)], ['gzip', Buffer.from('not packed at all')], ['br', Buffer.from('not packed at all')], ['deflate', Buffer.from('not packed at all')], ['zstd', Buffer.from('x')]])(
    'damaged or strange packing (%s) is a failure of the surroundings', async (encoding, body) => {
      const server = await serve(answer(body, { 'content-type': 'text/plain', 'content-encoding': encoding }));
      expect(await get(server.origin)).toMatchObject({ ok: false, failureClass: 'environmental' });
      await server.idle();
    });
  it('of an empty body that claims to be packed is nothing', async () => {
    expect(bodyOf(await get((await serve(answer('', { 'content-encoding': 'gzip' }))).origin))).toBe('[there is no text]');
  });
  it.each([['one', (socket: { write: (text: string) => unknown }) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`)], ['many', (socket: { write: (text: string) => unknown }) => socket.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}\r\n`)]])(
    'of the header is limited (%s)', async (_, talk) => {
      const server = await serveRaw((socket) => void talk(socket));
      expect(await get(server.origin)).toMatchObject({ ok: false, failureClass: 'environmental', message: expect.stringContaining('header of the answer is too large') });
      await server.idle();
    });
});

describe('F48: bad servers', () => {
  it('that send less than they said, or cut the connection, are a failure', async () => {
    for (const end of ['end', 'destroy'] as const) {
      const server = await serveRaw((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nhalf', () => socket[end]()));
      expect(await get(server.origin)).toMatchObject({ ok: false, failureClass: 'environmental', message: expect.stringContaining('the connection was cut') });
    }
  });
  it('that send more than they said are read up to what they said', async () => {
    const server = await serveRaw((socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 4\r\n\r\nhalf and more HTTP/1.1 200 OK\r\n\r\n'));
    expect(bodyOf(await get(server.origin))).toBe('half');
    await server.idle();
  });
  it('that say a length larger than the limit are read up to the limit', async () => {
    const server = await serveRaw((socket) => void socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 99999999999\r\n\r\n${'x'.repeat(5_000)}`));
    expect(headOf(await get(server.origin, { maxBytes: 1_000 }))['Size']).toBe('more than 1000 bytes');
    await server.idle();
  });
  it.each([
    ['silence', ''], ['garbage', '\u0000\u0001\u0002garbage\r\n\r\n'], ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'], ['a bad length', 'HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n'], ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'], ['bad chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'], ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
  ])('that answer with %s and hang up are a failure', async (_, text) => {
    const server = await serveRaw((socket) => void socket.end(text));
    expect(await get(server.origin)).toMatchObject({ ok: false, failureClass: 'environmental' });
    await server.idle();
  });
  it.each([
    ['nothing', () => undefined], ['their header one byte at a time', (socket: { write: (text: string) => unknown; destroyed: boolean }) => { const drip = (): void => { if (!socket.destroyed) { socket.write('H'); setImmediate(drip); } }; socket.write('HTTP/1.1 200 OK\r\nx: '); drip(); }],
    ['half a body', (socket: { write: (text: string) => unknown }) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf')],
    ['news without end', (socket: { write: (text: string) => unknown; destroyed: boolean }) => { const drip = (): void => { if (!socket.destroyed) { socket.write('HTTP/1.1 102 Processing\r\n\r\n'); setImmediate(drip); } }; drip(); }],
  ])('that send %s are left after the time limit, and nothing stays open', async (_, talk) => {
    const server = await serveRaw(talk as never);
    expect(await get(server.origin, { timeoutMs: 60 })).toMatchObject({ ok: false, failureClass: 'environmental' });
    await server.idle();
  });
  it('that send anything at all are an answer or a failure, and nothing stays open', async () => {
    let bytes = new Uint8Array();
    const server = await serveRaw((socket) => void socket.end(bytes));
    const line = fc.constantFrom('HTTP/1.1 200 OK\r\n', 'HTTP/1.1 302 Found\r\n', 'HTTP/1.1 404 x\r\n', 'HTTP/1.0 200\r\n', 'content-type: text/html\r\n', 'content-type: text/plain; charset=utf-16\r\n', 'content-encoding: gzip\r\n', 'content-encoding: br, deflate\r\n',
      'transfer-encoding: chunked\r\n', 'content-length: 5\r\n', 'location: /x\r\n', 'location: http://[\r\n', '\r\n', '5\r\n', '0\r\n\r\n', '<p>hello', '\u001f\u008b\b');
    const part = fc.oneof({ weight: 4, arbitrary: line.map((text) => Buffer.from(text, 'latin1')) }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)) });
    await fc.assert(fc.asyncProperty(fc.array(part, { maxLength: 10 }), async (parts) => {
      bytes = Buffer.concat(parts);
      const result = await get(server.origin, { maxRedirects: 1 });
      expect(result.ok || result.failureClass !== undefined).toBe(true);
      expect(result.code === 'ARTOO_TOOL_FAILED' || result.ok).toBe(true);
    }), { numRuns: 150 });
    await server.idle();
  });
  it('that are not there are a failure with the reason', async () => {
    const server = await serveRaw(() => undefined);
    expect(await get('http://127.0.0.1:1/')).toMatchObject({ ok: false, failureClass: 'environmental', message: expect.stringContaining('the connection was refused (ECONNREFUSED)') });
    await server.idle();
  });
});

describe('a stop', () => {
  it.each([['before the answer', ''], ['in the header', 'HTTP/1.1 200 OK\r\nx: y'], ['in the body', 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\nhalf'], ['while unpacking', `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-type: text/plain\r\n\r\n\u001f`]])(
    '%s ends the call at once and closes the connection', async (_, text) => {
      const controller = new AbortController();
      let arrived = (): void => undefined;
      const there = new Promise<void>((resolve) => { arrived = resolve; });
      const server = await serveRaw((socket) => { socket.write(text); socket.on('data', () => arrived()); });
      const pending = call(fetchWith({ allowPrivate: true }), { url: server.origin }, { signal: controller.signal });
      await there;
      controller.abort(new Error('enough'));
      expect(await pending).toMatchObject({ ok: false, code: 'ARTOO_ABORTED' });
      await server.idle();
    });
  it('before the call keeps it from beginning', async () => {
    const server = await serve(answer('x'));
    expect((await call(fetchWith({ allowPrivate: true }), { url: server.origin }, { signal: AbortSignal.abort() })).ok).toBe(false);
    expect(server.paths).toEqual([]);
  });
  it('of one call leaves the others alone', async () => {
    const server = await serve(({ url }, response) => { if (url !== '/hang') response.end('done'); });
    const tool = fetchWith({ allowPrivate: true });
    const controller = new AbortController();
    const stopped = call(tool, { url: `${server.origin}/hang` }, { signal: controller.signal });
    const others = Promise.all(Array.from({ length: 20 }, (_, index) => call(tool, { url: `${server.origin}/${index}` })));
    controller.abort();
    expect([(await stopped).ok, (await others).every(({ ok }) => ok)]).toEqual([false, true]);
    await server.idle();
  });
});

describe('the surroundings', () => {
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY', 'NODE_TLS_REJECT_UNAUTHORIZED'];
  const before = names.map((name) => process.env[name]);
  afterEach(() => names.forEach((name, index) => { if (before[index] === undefined) delete process.env[name]; else process.env[name] = before[index]; }));
  it('have no say in where a request goes: proxies in the environment are not used', async () => {
    const proxy = await serve(answer('proxy'));
    const server = await serve(answer('direct'));
    for (const name of names.filter((one) => one.endsWith('PROXY') || one.endsWith('proxy'))) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : proxy.origin;
    expect([bodyOf(await get(server.origin)), proxy.paths]).toEqual(['direct', []]);
  });
  it('can\'t switch the check of certificates off', async () => {
    const server = await serveSecure(answer('x'));
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    expect(await get(server.origin)).toMatchObject({ ok: false, message: expect.stringContaining('certificate') });
  });
  it('learn nothing but the request: GET, no cookies, no referrer', async () => {
    const server = await serve(({ url }, response) => (url === '/' ? void response.writeHead(302, { location: '/b', 'set-cookie': 'a=b' }).end() : void response.end('x')));
    await get(server.origin, { headers: { 'Accept-Language': 'de' }, userAgent: 'me' });
    const { method, headers } = server.requests[1]!;
    expect([method, Object.keys(headers).sort(), headers['accept-language'], headers['user-agent']]).toEqual(['GET', ['accept', 'accept-encoding', 'accept-language', 'connection', 'host', 'user-agent'], 'de', 'me']);
  });
});
