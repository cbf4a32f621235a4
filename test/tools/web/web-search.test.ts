import { describe, expect, it } from 'vitest';
import { duckDuckGo, searxng, webSearch, type SearchFunction, type SearchResult, type WebSearchOptions } from '../../../src/entries/tools.js';
import { toolConformance } from '../../../src/tools/conformance.js';
import { call } from '../support.js';
import { answer, redirect, searchWith, useServers } from './support.js';

const { serve } = useServers();
const hit = (name: string): SearchResult => ({ title: `About ${name}`, url: `https://${name}.example/`, snippet: `All of ${name}.` });
const search = (options: WebSearchOptions, input: Readonly<Record<string, unknown>> = { query: 'rye bread' }) => call(webSearch(options), input);
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const JSON_TYPE = { 'content-type': 'application/json' };

describe('webSearch', () => {
  for (const { name, run } of toolConformance({ create: () => webSearch({ backends: [() => [hit('rye')]] }), validInput: { query: 'rye' }, invalidInput: { query: '' } })) it(name, run);

  it('reads, is about its query, and lets the query out', () => {
    const tool = webSearch();
    expect([tool.name, tool.effect, tool.target!({ query: 'rye' } as never), tool.outward!({ query: 'rye' } as never)]).toEqual(['webSearch', 'read', 'rye', ['rye']]);
  });
  it.each([{}, { query: '  ' }, { query: 'x'.repeat(401) }, { query: 'x', maxResults: 0 }, { query: 'x', maxResults: 21 }, { query: ['x'] }])('refuses the input %j', async (input) => expect((await webSearch().validate(input)).issues).toBeDefined());
  it.each<[string, WebSearchOptions]>([['backends', { backends: [] }], ['backends', { backends: ['google'] as never }], ['backends', { backends: [{ name: '', search: () => [] }] }], ['backends', { backends: [null] as never }], ['maxResults', { maxResults: 0 }], ['timeoutMs', { timeoutMs: 0 }]])(
    'refuses options that can\'t work: %s', (name, options) => expect(() => webSearch(options)).toThrow(expect.objectContaining({ code: 'ARTOO_INVALID_ARGUMENT', message: expect.stringContaining(name) })));
  it.each([() => duckDuckGo({ endpoint: 'duckduckgo.com' }), () => searxng({ baseUrl: 'ftp://x.example' }), () => searxng({ baseUrl: undefined as never }), () => searxng({ baseUrl: 'http://user:pw@x.example' })])('and backends without a real address', (make) => expect(make).toThrow(expect.objectContaining({ code: 'ARTOO_INVALID_ARGUMENT' })));

  it('shows hits and who found them', async () => {
    const mine: SearchFunction = async (query, { maxResults, signal }) => [{ ...hit('rye'), snippet: `${query} ${maxResults} ${signal.aborted}` }, hit('oat')];
    expect((await search({ backends: [mine] })).text).toBe('Answered by: mine\n\n1. About rye\n   https://rye.example/\n   rye bread 8 false\n2. About oat\n   https://oat.example/\n   All of oat.');
  });
  it('shows no more than were asked for, and never more than the host allows', async () => {
    const many = () => Array.from({ length: 50 }, (_, index) => hit(`n${index}`));
    const count = async (options: WebSearchOptions, input: object) => (await search({ backends: [many], ...options }, { query: 'x', ...input })).text.match(/^\d+\. /gm)!.length;
    expect([await count({}, {}), await count({}, { maxResults: 3 }), await count({ maxResults: 5 }, { maxResults: 20 }), await count({ maxResults: 20 }, {})]).toEqual([8, 3, 5, 20]);
  });
  it('stays as short as a run shows its model, by shorter snippets', async () => {
    const long = () => Array.from({ length: 20 }, (_, index) => ({ title: `${index} ${'t'.repeat(60)}`, url: `https://n${index}.example/`, snippet: 's '.repeat(5_000) }));
    expect((await search({ backends: [long], maxResults: 20 })).text.length).toBeLessThan(4_000);
  });
});

describe('backends are asked in order', () => {
  const silent: SearchFunction = () => [];
  const broken: SearchFunction = () => { throw new Error('out of order'); };
  it('until one has found something; why the others have not is said', async () => {
    const never: SearchFunction = () => { throw new Error('asked'); };
    const { ok, text } = await search({ backends: [broken, { name: 'second', search: silent }, { name: 'third', search: () => [hit('rye')] }, never] });
    expect([ok, text.split('\n')[0]]).toEqual([true, 'Answered by: third (broken: out of order; second: found nothing)']);
  });
  it('and that nothing was found is an empty result, also when others failed', async () => {
    expect(await search({ backends: [silent] })).toMatchObject({ ok: true, empty: true, text: '' });
    expect(await search({ backends: [broken, silent] })).toMatchObject({ ok: true, empty: true });
  });
  it('and when none could be asked the search is unavailable, which is no reason to guess', async () => {
    expect(await search({ backends: [broken, { name: 'other', search: async () => { throw 'just words'; } }] })).toMatchObject({
      ok: false, failureClass: 'environmental', message: expect.stringMatching(/^Search unavailable \(broken: out of order; other: just words\)\. Do not guess/),
    });
  });
  it.each<[string, unknown]>([
    ['nothing', undefined], ['null', null], ['a text', 'results'], ['an object', { results: [] }], ['a list of nothing', [null, undefined]], ['a list of texts', ['https://a.example/']], ['no titles', [{ url: 'https://a.example/', title: '', snippet: '' }]],
    ['no addresses', [{ title: 'a', url: 'a', snippet: '' }, { title: 'a', url: 'javascript:alert(1)', snippet: '' }, { title: 'a', url: 'https://u:p@a.example/', snippet: '' }, { title: 'a', url: `https://a.example/${'x'.repeat(2_000)}`, snippet: '' }]],
    ['entries that throw', [{ get title(): string { throw new Error('x'); }, url: 'https://a.example/', snippet: '' }]], ['numbers', [{ title: 7, url: 8, snippet: 9 }]],
  ])('and one that returns %s has failed', async (_, value) => {
    expect(await search({ backends: [{ name: 'odd', search: () => value as never }] })).toMatchObject({ ok: false, message: expect.stringMatching(/^Search unavailable \(odd: (?:it returned no list|none of its results)/) });
  });
  it('and of a list that is partly garbage the good part is shown, once each, cleaned', async () => {
    const mixed = [null, { ...hit('rye'), title: 'A\u001b[31m\u202e\nB' }, hit('rye'), { title: 'x', url: 'nonsense', snippet: '' }, { title: 'Oat', url: 'HTTPS://Oat.example:443/#part', snippet: { not: 'a text' } }];
    expect((await search({ backends: [() => mixed as never] })).text.split('\n').slice(2)).toEqual(['1. A B', '   https://rye.example/', '   All of rye.', '2. Oat', '   https://oat.example/']);
  });
  it('and one that throws what can\'t be shown is named all the same', async () => {
    const evil = { toString() { throw new Error('x'); } };
    for (const thrown of [evil, undefined, '', Object.create(null)]) expect((await search({ backends: [{ name: 'evil', search: () => { throw thrown; } }] })).message).toMatch(/^Search unavailable \(evil: /);
  });
  it('and one that never answers is left after its time, with its signal aborted', async () => {
    const signals: AbortSignal[] = [];
    const stuck: SearchFunction = (_, { signal }) => { signals.push(signal); return new Promise(() => undefined); };
    const { text } = await search({ backends: [stuck, { name: 'next', search: () => [hit('rye')] }], timeoutMs: 20 });
    expect([text.split('\n')[0], signals[0]!.aborted]).toEqual(['Answered by: next (stuck: no answer within 20 ms)', true]);
  });
  it('and a stop ends the call without asking the next', async () => {
    const controller = new AbortController();
    let asked = false;
    const stuck: SearchFunction = () => { controller.abort(); return new Promise(() => undefined); };
    const result = await call(webSearch({ backends: [stuck, () => { asked = true; return []; }] }), { query: 'x' }, { signal: controller.signal });
    expect([result.code, asked]).toEqual(['ARTOO_ABORTED', false]);
  });
});

describe('duckDuckGo', () => {
  const page = (results: string): string => `<!DOCTYPE html><html><body><div id="links" class="results">${results}</div></body></html>`;
  const result = (href: string, title: string, snippet = '', more = ''): string => `<div class="result results_links results_links_deep web-result ${more}"><div class="links_main links_deep result__body"><h2 class="result__title"><a rel="nofollow" class="result__a" href="${href}">${title}</a></h2>
    <div class="result__extras"><a class="result__url" href="${href}"> shown.example </a></div><a class="result__snippet" href="${href}">${snippet}</a><div class="clear"></div></div></div>`;
  const counted = (url: string): string => `//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=abc`;
  const ask = async (body: string, status = 200) => {
    const server = await serve(answer(body, HTML, status));
    return { server, ...await search({ backends: [duckDuckGo({ endpoint: `${server.origin}/html/` })] }, { query: 'rye & "oat"' }) };
  };

  it('reads hits behind links that count clicks, and direct ones; advertisements and links to itself are left out', async () => {
    const { text, server } = await ask(page([
      result('//duckduckgo.com/y.js?ad_domain=shop.example', 'Buy!', 'ad', 'result--ad'), result(counted('https://rye.example/a?b=c&d=%26'), 'About <b>rye</b> &amp; more', 'All of <b>rye</b>.'),
      result('https://oat.example/', 'Oat', 'Another.'), result('/html/?q=more', 'More'), result('https://duckduckgo.com/feedback', 'Feedback'), result(counted('javascript:alert(1)'), 'Bad'),
    ].join('')));
    expect(text).toBe('Answered by: duckduckgo\n\n1. About rye & more\n   https://rye.example/a?b=c&d=%26\n   All of rye.\n2. Oat\n   https://oat.example/\n   Another.');
    expect(server.paths).toEqual(['/html/?q=rye+%26+%22oat%22']);
  });
  it('that found nothing is an empty result', async () => {
    expect(await ask(page('<div class="result results_links result--no-result"><div class="no-results">No results.</div></div>'))).toMatchObject({ ok: true, empty: true });
  });
  it.each<[string, string, number, RegExp]>([
    ['asks whether one is human', '<form id="challenge-form"><div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></form>', 202, /proof of being human/], ['asks it with a plain success', '<script src="/anomaly.js"></script>', 200, /proof of being human/],
    ['answers with another success', page(result('https://a.example/', 'A')), 202, /status 202/], ['refuses', 'no', 403, /status 403/], ['has changed', page('<div class="hit">x</div>'), 200, /was not understood/], ['is empty', '', 200, /was not understood/],
    ['shows only advertisements', page(result('//duckduckgo.com/y.js?x', 'Buy!', '', 'result--ad')), 200, /was not understood/],
  ])('that %s is a failure, never an empty result', async (_, body, status, message) => expect(await ask(body, status)).toMatchObject({ ok: false, failureClass: 'environmental', message: expect.stringMatching(message) }));
  it('that redirects to a private place is refused', async () => {
    const secret = await serve(answer(page(result('https://a.example/', 'A')), HTML));
    const server = await serve((_, response) => redirect(response, secret.origin));
    expect(await search({ backends: [duckDuckGo({ endpoint: server.origin })] })).toMatchObject({ ok: false, message: expect.stringContaining('private addresses are refused') });
    expect(secret.paths).toEqual([]);
  });
});

describe('searxng', () => {
  const ask = async (body: unknown, { status = 200, headers = JSON_TYPE, path = '', ...options }: { status?: number; headers?: Record<string, string>; path?: string; categories?: readonly string[]; language?: string } = {}) => {
    const server = await serve(answer(typeof body === 'string' ? body : JSON.stringify(body), headers, status));
    return { server, ...await search({ backends: [searxng({ baseUrl: `${server.origin}${path}`, headers: undefined as never, ...options })] }, { query: 'rye & oat' }) };
  };
  it('reads hits from a host that its options name, on a private network too', async () => {
    const { text, server } = await ask({ query: 'x', results: [{ title: 'Rye', url: 'https://rye.example/', content: 'All of rye.', engine: 'x', score: 1 }, { title: 'Oat', url: 'https://oat.example/', content: null }, { title: null, url: 'https://c.example/' }], unresponsive_engines: [['y', 'timeout']] }, { path: '/sub/', categories: ['it', 'news'], language: 'de' });
    expect(text).toBe('Answered by: searxng\n\n1. Rye\n   https://rye.example/\n   All of rye.\n2. Oat\n   https://oat.example/');
    expect(server.paths).toEqual(['/sub/search?q=rye+%26+oat&format=json&categories=it%2Cnews&language=de']);
  });
  it('that found nothing is an empty result', async () => expect(await ask({ results: [], unresponsive_engines: [] })).toMatchObject({ ok: true, empty: true }));
  it.each<[string, unknown, number, RegExp]>([
    ['whose engines all were silent', { results: [], unresponsive_engines: [['google', 'CAPTCHA'], ['bing', 'timeout']] }, 200, /google, CAPTCHA; bing, timeout/], ['without JSON', '<!DOCTYPE html><html>', 200, /add "json" to search\.formats/], ['that forbids JSON', '<h1>Forbidden', 403, /403.*add "json"/],
    ['that is tired', '', 429, /too often/], ['that is broken', '', 500, /status 500/], ['that talks nonsense', 'nonsense', 200, /no valid JSON/], ['that answers null', 'null', 200, /no list/], ['without results', {}, 200, /no list/], ['with odd results', { results: 'many' }, 200, /no list/], ['with empty hits', { results: [null, 7, {}] }, 200, /none of its results/],
  ])('%s is a failure', async (_, body, status, message) => expect(await ask(body, { status })).toMatchObject({ ok: false, failureClass: 'environmental', message: expect.stringMatching(message) }));
  it('gets its headers; another private host that it redirects to gets no request at all', async () => {
    const other = await serve(answer('{"results": []}', JSON_TYPE));
    const server = await serve((_, response) => redirect(response, `http://other.example:${other.port}/`));
    await call(searchWith({ backends: [searxng({ baseUrl: server.origin, headers: { authorization: 'Bearer k' } })] }, { resolve: async () => ['127.0.0.1'] }), { query: 'x' });
    expect([server.requests[0]!.headers.authorization, other.paths]).toEqual(['Bearer k', []]);
  });
  it('that is not there is named with the reason', async () => {
    expect((await search({ backends: [searxng({ baseUrl: 'http://127.0.0.1:1' })] })).message).toMatch(/^Search unavailable \(searxng: 127\.0\.0\.1:1 could not be read: the connection was refused/);
  });
});

describe('a backend of the host', () => {
  it('may fetch under the same rules: private places only where it says so', async () => {
    const server = await serve(answer('{"x": 1}', JSON_TYPE));
    const seen: unknown[] = [];
    const mine: SearchFunction = async (_, { fetchPage }) => {
      seen.push(await fetchPage({ url: server.origin, allowPrivate: true, headers: { 'x-api-key': 'k' } }));
      await fetchPage({ url: server.origin });
      return [];
    };
    expect((await search({ backends: [mine] })).message).toContain('private addresses are refused');
    expect(seen).toEqual([{ url: `${server.origin}/`, status: 200, type: 'application/json', text: '{"x": 1}' }]);
    expect(server.requests[0]!.headers['x-api-key']).toBe('k');
  });
});
