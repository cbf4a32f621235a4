import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createArtoo, type Envelope } from 'artoo';
import { messageTypes, ROLE_CONTRACTS } from 'artoo/contracts';
import { scenarioModel, scenarioOptions, World } from '../run/scenario.js';
import { blocksOf, pages, read, root } from './blocks.js';

describe('docs/errors.md', () => {
  const source = readFileSync(join(root, 'src/contracts/errors.ts'), 'utf8');
  const codes = [...source.slice(source.indexOf('export type ArtooErrorCode'), source.indexOf('/** Options of')).matchAll(/'(ARTOO_[A-Z0-9_]+)'/g)].map((match) => match[1]!);
  const rows = [...read('docs/errors.md').matchAll(/^\| `(ARTOO_\w+)` \| ([^|]+) \| ([^|]+) \|$/gm)];
  it('explains every code there is, once, and no other', () => {
    expect(codes.length).toBeGreaterThan(30);
    expect(rows.map((row) => row[1]!).sort()).toEqual([...codes].sort());
  });
});

describe('docs/events.md', () => {
  const page = read('docs/events.md');
  it('lists every message type', () => {
    const listed = [...page.slice(page.indexOf('## Every message')).matchAll(/^\| (\w+) \|/gm)].map((match) => match[1]!);
    expect(listed.filter((type) => type !== 'message')).toEqual([...messageTypes]);
  });
  it('shows a tree as runs really have it: each message under the one that it answers, between these roles', async () => {
    const tree = /```text\n(TaskRequest[\s\S]*?)```/.exec(page)![1]!;
    const open: string[] = [];
    const drawn = new Set(tree.trimEnd().split('\n').map((line) => {
      const [, indent, type, from, to] = /^( *)(\w+) +(\w+) → ([\w, ]+?)(?:  .*)?$/.exec(line)!;
      open.length = indent!.length / 2;
      open.push(type!);
      return `${open.at(-2) ?? '-'} > ${type} ${from} → ${to}`;
    }));
    const artoo = createArtoo(scenarioOptions(new World(), scenarioModel()));
    const run = artoo.run('Sum the numbers of the files');
    const events: Envelope[] = [];
    for await (const event of run) if (event.type !== 'Progress') events.push(event);
    const typeOf = new Map(events.map(({ id, type }) => [id, type]));
    const happened = new Set(events.map(({ type, from, to, causeId }) => `${causeId === undefined ? '-' : typeOf.get(causeId)} > ${type} ${from} → ${typeof to === 'string' ? to : to.join(', ')}`));
    expect([...drawn].sort()).toEqual([...happened].sort());
  });
});

describe('docs/roles.md', () => {
  it('names every role', () => {
    const page = read('docs/roles.md');
    for (const [id, { name, mission }] of Object.entries(ROLE_CONTRACTS)) expect(page).toMatch(new RegExp(`^\\| ${id} \\| ${name} \\| .* \\| ${mission.replaceAll('.', '\\.')} \\|$`, 'm'));
  });
});

it('the tables that follow from the contracts are up to date', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/update-docs.mjs'), '--check'], { cwd: root, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

describe('links', () => {
  const anchorsOf = (text: string): Set<string> => new Set([...text.matchAll(/^#+ (.+)$/gm)].map((match) => match[1]!.toLowerCase().replace(/[^\w\- ]/g, '').replaceAll(' ', '-')));
  const links = pages.flatMap((page) => [...read(page).replace(/^```[\s\S]*?^```$/gm, '').matchAll(/\]\(([^)\s]+)\)/g)].map((match) => [page, match[1]!] as const)).filter(([, link]) => !/^[a-z]+:/.test(link));
  it('lead somewhere', () => {
    expect(links.length).toBeGreaterThan(20);
    const dead = links.filter(([page, link]) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : normalize(join(dirname(page), path));
      return !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(read(target)).has(anchor));
    });
    expect(dead).toEqual([]);
  });
  it('reach every page from the index or the README', () => {
    const linked = new Set(links.map(([page, link]) => normalize(join(dirname(page), link.split('#')[0]!))));
    expect(pages.filter((page) => page !== 'README.md' && !linked.has(page))).toEqual([]);
  });
});

it('the documentation in the sources imports from public doors only', () => {
  const source = readFileSync(join(root, 'src/index.ts'), 'utf8');
  const [, example] = /^\/\*\*([\s\S]*?)\*\//.exec(source)!;
  expect([...example!.matchAll(/from '([^']+)'/g)].map((match) => match[1]!).every((name) => /^artoo(?:\/[a-z]+)?$/.test(name))).toBe(true);
});

it('the extractor finds code, its marks and what it prints', () => {
  const text = 'a\n\n```ts\nx();\n```\n\n```text\nout\n```\n\n```ts no-run\ny();\n```\n\n```\nz\n```\n';
  expect(blocksOf('p.md', text)).toEqual([
    { page: 'p.md', line: 4, code: 'x();\n', language: 'ts', noRun: false, prints: 'out\n' },
    { page: 'p.md', line: 12, code: 'y();\n', language: 'ts', noRun: true, prints: undefined },
  ]);
});
