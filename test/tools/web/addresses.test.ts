import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fetchUrl } from '../../../src/entries/tools.js';
import { parseIp, privateKind } from '../../../src/tools/web/ip-address.js';
import { call } from '../support.js';
import { fetchWith, useServers, answer } from './support.js';

const { serve } = useServers();

describe('an address is private', () => {
  it.each([
    ['0.0.0.0', 'unspecified'], ['0.1.2.3', 'unspecified'], ['10.0.0.0', 'private'], ['10.255.255.255', 'private'], ['100.64.0.0', 'gateway'], ['100.100.100.200', 'gateway'],
    ['100.127.255.255', 'gateway'], ['127.0.0.1', 'loopback'], ['127.255.255.254', 'loopback'], ['168.63.129.16', 'cloud'], ['169.254.169.254', 'link-local'], ['172.16.0.1', 'private'], ['172.31.255.255', 'private'],
    ['192.0.0.192', 'reserved'], ['192.0.2.1', 'documentation'], ['192.88.99.1', 'reserved'], ['192.168.255.255', 'private'], ['198.18.0.1', 'benchmarks'], ['198.19.255.255', 'benchmarks'],
    ['198.51.100.7', 'documentation'], ['203.0.113.255', 'documentation'], ['224.0.0.1', 'multicast'], ['239.255.255.255', 'multicast'], ['240.0.0.1', 'reserved'], ['255.255.255.255', 'reserved'],
    ['::', 'unspecified'], ['::1', 'loopback'], ['0:0:0:0:0:0:0:1', 'loopback'], ['::ffff:127.0.0.1', 'IPv4-mapped'], ['::ffff:7f00:1', 'IPv4-mapped'], ['::ffff:8.8.8.8', 'IPv4-mapped'],
    ['::ffff:0:127.0.0.1', 'IPv4-translated'], ['::127.0.0.1', 'IPv4-compatible'], ['64:ff9b::7f00:1', 'NAT64'], ['64:ff9b::127.0.0.1', 'NAT64'], ['64:ff9b:1::1', 'NAT64'], ['100::1', 'discarded'],
    ['100:0:0:1::1', 'reserved'], ['2001::1', 'Teredo'], ['2001:2::1', 'benchmarks'], ['2001:10::1', 'reserved'], ['2001:2f::1', 'reserved'], ['2001:1ff::1', 'reserved'], ['2001:db8::1', 'documentation'],
    ['2002:7f00:1::', '6to4'], ['3fff::1', 'documentation'], ['5f00::1', 'reserved'], ['fc00::1', 'private'], ['fdff::1', 'private'], ['fd00:ec2::254', 'private'], ['fe80::1', 'link-local'], ['febf::1', 'link-local'],
    ['fec0::1', 'site-local'], ['ff02::1', 'multicast'], ['4000::1', 'reserved'], ['1::1', 'reserved'], ['200::1', 'reserved'],
  ])('%s: %s', (address, kind) => expect(privateKind(address)).toContain(kind));

  it.each(['', 'localhost', '1.2.3', '1.2.3.4.5', '01.2.3.4', '256.1.1.1', '1.2.3.-4', '0x7f.0.0.1', ':::', '1::2::3', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7::8', 'fe80::1%eth0', '12345::', 'g::', '::1.2.3', '1.2.3.4::'])(
    'when it can\'t be read: %s', (text) => expect([parseIp(text), privateKind(text)]).toEqual([undefined, 'no address that can be read']));

  it.each(['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0', '169.253.255.255', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.167.255.255', '192.169.0.0',
    '198.17.255.255', '198.20.0.0', '223.255.255.255', '2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001:81b::200e', '2003::1', '2001:200::1', '3ffe::1'])(
    'and is not: %s', (address) => expect(privateKind(address)).toBeUndefined());

  it('in every way of shortening it', () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), (groups) => {
      const long = groups.map((group) => group.toString(16)).join(':');
      const short = new URL(`http://[${long}]/`).hostname.slice(1, -1);
      expect(parseIp(short)).toEqual(parseIp(long));
      expect(privateKind(short)).toBe(privateKind(long));
    }));
  });
});

const SPELLINGS = [
  'http://127.0.0.1/', 'http://127.1/', 'http://127.0.1/', 'http://2130706433/', 'http://0x7f000001/', 'http://0x7f.1/', 'http://0177.0.0.1/', 'http://017700000001/', 'http://0/', 'http://0.0.0.0/',
  'http://127.0.0.1./', 'http://127。0。0。1/', 'http://１２７.0.0.1/', 'http://①②⑦.⓪.⓪.①/', 'http://%31%32%37.0.0.1/', 'HTTP://127.0.0.1:80/', 'https://127.0.0.1:22/',
  'http://[::1]/', 'http://[0:0:0:0:0:0:0:1]/', 'http://[::ffff:127.0.0.1]/', 'http://[::ffff:7f00:1]/', 'http://[::127.0.0.1]/', 'http://[::]/', 'http://[64:ff9b::127.0.0.1]/', 'http://[2002:7f00:1::]/', 'http://[fd00:ec2::254]/', 'http://[fe80::1]/',
  'http://localhost/', 'http://LOCALHOST/', 'http://localhost./', 'http://localhost../', 'http://ⓛocalhost/', 'http://app.localhost/', 'http://printer.local/', 'http://metadata.google.internal/', 'http://router.lan/', 'http://nas.home.arpa/',
  'http://intranet/', 'http://db:5432/', 'http://192.168.0.1/', 'http://10.1.2.3/', 'http://172.20.0.1/', 'http://169.254.169.254/latest/meta-data/', 'http://100.100.100.200/', 'http://168.63.129.16/', 'http://255.255.255.255/', 'http://224.0.0.1/',
];

describe('fetchUrl refuses', () => {
  it.each(SPELLINGS)('without a look at the network, and names the option that would allow it: %s', async (url) => {
    const asked: string[] = [];
    const result = await call(fetchWith({}, { resolve: async (host) => { asked.push(host); return ['127.0.0.1']; } }), { url });
    expect(result).toMatchObject({ ok: false, failureClass: 'logical', message: expect.stringMatching(/private addresses are refused|can't be fetched/) });
    if (!/can't be fetched/.test(result.message!)) expect(result.message).toContain('allowPrivate');
    expect(asked).toEqual([]);
  });

  it.each([
    'file:///etc/passwd', 'ftp://example.org/', 'javascript:alert(1)', 'data:text/html,x', 'gopher://example.org/', 'ws://example.org/', 'blob:http://example.org/x', 'example.org', '//example.org/x', '/etc/passwd', 'http://', 'http:///', 'http://exa mple.org/',
    'http://user@example.org/', 'http://user:secret@example.org/', 'http://:secret@example.org/', 'http://example.org@127.0.0.1/', 'http://exam\tple.org/', 'http://example.org/\nHost: x', 'http://example.org/\r\nX: y', 'http:\\\\example.org\\x', 'http://example.org\\@127.0.0.1/', 'http://example.org/\u0000',
    'http://[::1', 'http://[fe80::1%25eth0]/', 'http://1.2.3.4.5/', 'http://256.256.256.256/', 'http://example.org:99999/', 'http://exa%00mple.org/', `http://example.org/${'a'.repeat(4_096)}`.slice(0, 4_096) + ' x', 'http://./',
  ])('what is no plain address of the web, as the call\'s own fault: %j', async (url) => {
    const tool = fetchWith({ allowPrivate: true }, { resolve: async () => { throw new Error('asked'); } });
    const checked = await tool.validate({ url });
    if (checked.issues) return;
    const result = await call(tool, { url });
    expect(result).toMatchObject({ ok: false, failureClass: 'logical', message: expect.stringContaining('can\'t be fetched') });
    expect(result.message).not.toContain('secret');
  });

  it.each([[['127.0.0.1']], [['93.184.216.34', '10.0.0.1']], [['2606:2800:220:1::1', '::1']], [['::ffff:10.0.0.1']], [['64:ff9b::a00:1']], [['not an address']], [['fe80::1%eth0']]])(
    'a public name with any address that is not public: %j', async (addresses) => {
      const result = await call(fetchWith({}, { resolve: async () => addresses }), { url: 'http://rebind.example.org/' });
      expect(result).toMatchObject({ ok: false, failureClass: 'logical', message: expect.stringContaining('private addresses are refused') });
      for (const address of addresses) expect(result.message).not.toContain(address);
    });

  it('nothing that is allowed: a host, a host with a port, an address of IPv6, every name below one', async () => {
    const { port, origin } = await serve(answer('inside'));
    const here = { resolve: async () => ['127.0.0.1'] };
    const outcome = async (allowPrivate: boolean | readonly string[], url: string) => (await call(fetchWith({ allowPrivate }, here), { url })).ok;
    expect(await Promise.all([
      outcome(true, origin), outcome(['127.0.0.1'], origin), outcome([`127.0.0.1:${port}`], origin), outcome(['localhost'], `http://LOCALHOST.:${port}/`), outcome(['*.corp.example'], `http://a.b.corp.example:${port}/`),
      outcome(['0x7f.1'], origin), outcome([`wiki:${port}`], `http://wiki:${port}/`),
    ])).toEqual([true, true, true, true, true, true, true]);
    expect(await Promise.all([
      outcome(false, origin), outcome([], origin), outcome(['127.0.0.1:1'], origin), outcome(['127.0.0.2'], origin), outcome(['*.corp.example'], `http://corp.example:${port}/`), outcome(['*.corp.example'], `http://evilcorp.example:${port}/`),
      outcome(['corp.example'], `http://x.corp.example:${port}/`),
    ])).toEqual([false, false, false, false, false, false, false]);
  });

  it.each([[['http://example.org']], [['example.org/path']], [['']], [['a b']], [['*']], [['*.*.org']], [['example.org:99999']], [['user@example.org']], [[7]], ['example.org']])(
    'a list of hosts that can\'t be meant: %j', (list) => {
      expect(() => fetchUrl({ allowPrivate: list as never })).toThrow(/allowPrivate/);
      expect(() => fetchUrl({ allowHosts: list as never })).toThrow(/allowHosts/);
    });
});

describe('what leaves the machine', () => {
  const outward = (options: Parameters<typeof fetchUrl>[0], url: string) => fetchUrl(options).outward!({ url } as never);
  it('is the address, unless its host is vouched for', () => {
    const options = { allowHosts: ['docs.example.org', '*.trusted.example', 'ports.example:8080'] };
    expect(['https://docs.example.org/a?b=c', 'https://DOCS.example.org./', 'https://a.b.trusted.example/', 'http://ports.example:8080/'].map((url) => outward(options, url))).toEqual([undefined, undefined, undefined, undefined]);
    for (const url of ['https://example.org/', 'https://docs.example.org.evil.example/', 'https://trusted.example/', 'https://xtrusted.example/', 'http://ports.example/', 'https://docs.example.org@evil.example/', 'nonsense', 'https://evil.example/#docs.example.org']) {
      expect(outward(options, url)).toEqual([url]);
    }
  });
  it('has its normal form as target', () => {
    const target = (url: string) => fetchUrl().target!({ url } as never);
    expect(['HTTPS://Example.ORG:443/a/../b?q#part', 'http://bücher.example/', 'http://example.org.', 'nonsense'].map(target)).toEqual(['https://example.org/b?q', 'http://xn--bcher-kva.example/', 'http://example.org/', 'nonsense']);
  });
});
