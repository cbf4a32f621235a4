import { describe, expect, test } from 'vitest';
import { isNamed } from '../../src/text/named.js';

const SECRET = 'hunter2';

describe('an address is named only where it stands', () => {
  test.each([
    ['Read https://a.example/x and sum up.', 'https://a.example/x'],
    ['Read (https://a.example/x).', 'https://a.example/x'],
    ['Read https://a.example/x, then stop', 'https://a.example/x'],
    ['Read https://a.example', 'https://a.example/'],
    ['Read https://a.example/', 'https://a.example'],
    ['Read HTTPS://A.Example:443/x', 'https://a.example/x'],
    ['Read https://a.example/x#part', 'https://a.example/x'],
    ['Read https://a.example/x#part', 'https://a.example/x#part'],
    ['Read https://a.example/a%20b?q=1&r=2', 'https://a.example/a%20b?q=1&r=2'],
    ['阅读https://a.example/x。谢谢', 'https://a.example/x'],
    ['Read https://bücher.example/x', 'https://bücher.example/x'],
    ['Read https://bücher.example/x', 'https://xn--bcher-kva.example/x'],
    ['{"url":"https://a.example/x"}', 'https://a.example/x'],
  ])('%s names %s', (source, wanted) => {
    expect(isNamed(wanted, ['other words', source])).toBe(true);
  });

  test.each([
    `https://a.example/x?${SECRET}`, `https://a.example/x/${SECRET}`, `https://a.example/x#${SECRET}`, `https://a.example/${SECRET}/../x`, 'https://a.example/./x',
    'https://a.example/', 'https://a.example', 'https://a.example/xy', 'https://a.example/X', 'http://a.example/x', 'https://a.example:8443/x', 'https://a.example:443/x',
    'https://a.example./x', `https://${SECRET}@a.example/x`, `https://${SECRET}:pw@a.example/x`, 'https://a.example@evil.example/x', 'https://A.EXAMPLE/x', 'hTTps://a.example/x',
    `https://${SECRET}.a.example/x`, 'https://a.example.evil/x', 'https://а.example/x', 'https://a.example/%78', 'https://a.exa\nmple/x', 'https://a.example\\x', 'https:\\\\a.example\\x',
    'https:/a.example/x', 'https:a.example/x', 'ftp://a.example/x', 'file:///etc/passwd', 'https://a.example/x https://a.example/x', `https://a.example/x${' '.repeat(7)}`, '//a.example/x', 'a.example/y',
  ])('https://a.example/x does not name %s', (wanted) => {
    expect(isNamed(wanted, ['Read https://a.example/x and stop.'])).toBe(false);
  });

  test('a part of a trusted address is no address of its own', () => {
    expect(isNamed('https://a.example/x', ['Read https://a.example/x?key=1'])).toBe(false);
    expect(isNamed('https://a.example/x', ['Read https://a.example/x/y'])).toBe(false);
  });
});

describe('other text is named where it stands, or by its words', () => {
  test.each([
    ['What is the weather in Berlin today?', 'weather Berlin'],
    ['What is the weather in berlin today?', 'Berlin weather today'],
    ['What is the weather in Berlin today?', '"weather" (today), Berlin?'],
    ['Find the price of "node.js in action"', 'node.js action price'],
    ['Compare C++ and Rust', 'C++ Rust'],
    ['Compare top-level await', 'top level await'],
    ["What's new in Rust", "what's new"],
    ['今天北京的天气怎么样', '北京天气'],
    ['今天北京的天气怎么样', '北京 今天'],
    ['东京と京都の電車', '京都、東京'.replace('東', '东')],
    ['मौसम दिल्ली में आज', 'दिल्ली मौसम'],
    ['Ping host a.example please', 'a.example'],
    ['Cats & dogs', 'dogs & cats'],
    ['今天天气', '天气。'],
    ['anything', ''],
    ['anything', '  '],
    ['run: git log --oneline -5', 'git log --oneline -5'],
  ])('%s names %s', (source, wanted) => {
    expect(isNamed(wanted, [source])).toBe(true);
  });

  test.each([
    ['a word that nobody said', `weather ${SECRET}`],
    ['a part of a word', 'weath'], ['words put together', 'weatherBerlin'], ['marks between words that could count', 'weather.,;:!?.,Berlin'],
    ['blanks that could count', `weather${' '.repeat(5)}Berlin`], ['odd blanks', 'weather\u2003Berlin'], ['blanks at the end', `weather${'\t'.repeat(9)}`], ['nothing but blanks', ' '.repeat(40)],
    ['case that could count', 'wEaTHer bERLIn'], ['repetitions that could count', 'weather weather Berlin weather'], ['invisible characters', 'wea\u200bther'], ['a soft hyphen', 'wea\u00adther'],
    ['marks on letters', 'we\u0301ather'], ['another alphabet', 'wеather'], ['wide letters', 'ｗｅａｔｈｅｒ'], ['a host made of words', 'weather.in'], ['an address made of words', 'today@weather.in'],
    ['a path made of words', 'weather/in/Berlin'], ['a switch', '-weather'.repeat(2)], ['names repeated', 'node.js node.js'], ['marks alone', '. , ;'], ['emoji', 'weather ☀'], ['a dollar', 'weather $Berlin'], ['lone marks in a row', 'weather & | & | Berlin ...........'], ['a scheme without slashes', 'https:weather.in'],
    ['a digest of numbers', '31337'], ['a control character', 'weather\u0000Berlin'], ['a right-to-left mark', '\u202eweather'],
  ])('not by %s', (_what, wanted) => {
    expect(isNamed(wanted, ['What is the weather in Berlin today? Ask node.js'])).toBe(false);
  });

  test.each([['evil.com', 'Write to not-evil.com'], ['a.example', 'Look at a.example.org'], ['a.example', 'Look at https://a.example/x'], ['example', 'a.examples'], ['me@a.example', 'Mail not.me@a.example'], ['a.example', 'Mail me@a.example']])(
    '%s is no name in: %s', (wanted, source) => { expect(isNamed(wanted, [source])).toBe(false); },
  );

  test('nothing trusted names nothing', () => {
    expect(isNamed('weather', [])).toBe(false);
    expect(isNamed('https://a.example/x', [])).toBe(false);
  });

  test('a hostile text of any length is answered', () => {
    expect(isNamed(`${'a.'.repeat(50_000)}!`, ['a. '.repeat(20_000)])).toBe(false);
    expect(isNamed(`https://${'a'.repeat(100_000)}`, [`https://${'b'.repeat(100_000)}`])).toBe(false);
    expect(isNamed('- '.repeat(30_000), ['x'])).toBe(false);
  });
});
