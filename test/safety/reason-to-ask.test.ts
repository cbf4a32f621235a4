import { describe, expect, test } from 'vitest';
import { reasonToAsk, type CallFacts } from '../../src/roles/executor/reason-to-ask.js';

const HARMLESS: CallFacts = { effect: 'read', cautious: false, doubtful: false, outward: [], secret: false, influencedBy: undefined, trustedTexts: ['Read https://a.example/x about the weather'] };
const WEB = { influencedBy: ['fetchUrl https://a.example/x'] } as const;
const asks = (change: Partial<CallFacts>): { readonly reason: string; readonly always: boolean } | undefined => reasonToAsk({ ...HARMLESS, ...change });

describe('what just happens', () => {
  test.each<[string, Partial<CallFacts>]>([
    ['reading', {}], ['writing', { effect: 'write' }], ['reading after untrusted text', WEB], ['writing after untrusted text', { effect: 'write', ...WEB }],
    ['sending out anything before untrusted text came in', { outward: ['https://b.example/?q=1'] }],
    ['sending out the named address after it', { outward: ['https://a.example/x'], ...WEB }], ['sending out named words after it', { outward: ['weather'], ...WEB }],
    ['sending nothing out', { outward: ['', ' '], ...WEB }],
  ])('%s', (_what, change) => { expect(asks(change)).toBeUndefined(); });
});

describe('what asks', () => {
  const OUT = { outward: ['https://a.example/x?stolen'] } as const;
  test.each<[string, Partial<CallFacts>, boolean]>([
    ['what cannot be undone', { effect: 'irreversible' }, false],
    ['what cannot be undone, under any standing permission once untrusted text came in', { effect: 'irreversible', ...WEB }, true],
    ['an earlier outcome that is unknown, under any standing permission', { doubtful: true }, true],
    ['a secret that leaves, under any standing permission, also before untrusted text came in', { outward: ['x'], secret: true }, true],
    ['a secret in a named address', { outward: ['https://a.example/x'], secret: true, ...WEB }, true],
    ['mixed experience', { cautious: true }, false], ['mixed experience after untrusted text', { cautious: true, ...WEB }, true],
    ['an address that nobody named, after untrusted text', { ...OUT, ...WEB }, true],
    ['one text of several that nobody named', { outward: ['weather', 'https://a.example/x', 'stolen'], ...WEB }, true],
    ['untrusted text from a place that nobody can name', { ...OUT, influencedBy: [] }, true],
    ['a write that sends out what nobody named', { effect: 'write', ...OUT, ...WEB }, true],
    ['any text where nobody said anything', { outward: ['weather'], trustedTexts: [], ...WEB }, true],
  ])('%s', (_what, change, always) => { expect(asks(change)).toMatchObject({ always }); });

  test('the heaviest reason is the one that is told', () => {
    expect(asks({ effect: 'irreversible', doubtful: true, secret: true, outward: ['x'] })?.reason).toContain('outcome is unknown');
    expect(asks({ effect: 'irreversible', secret: true, outward: ['x'], cautious: true })?.reason).toContain('secret');
    expect(asks({ effect: 'irreversible', outward: ['x'], cautious: true, ...WEB })?.reason).toContain('undone');
  });

  test('over every combination of facts, untrusted text never lets through what would ask without it', () => {
    for (const effect of ['read', 'write', 'irreversible'] as const) for (const cautious of [true, false]) for (const doubtful of [true, false]) for (const secret of [true, false]) for (const outward of [[], ['weather'], ['stolen']]) {
      const facts = { effect, cautious, doubtful, secret, outward };
      const before = asks(facts);
      const after = asks({ ...facts, ...WEB });
      if (before) expect(after, JSON.stringify(facts)).toBeDefined();
      if (after) expect(after.always, JSON.stringify(facts)).toBe(true);
    }
  });
});
