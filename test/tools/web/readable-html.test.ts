import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readableHtml } from '../../../src/tools/web/readable-html.js';

const read = (html: string, links = true, url = 'https://example.org/dir/page') => readableHtml(html, { url: new URL(url), links, monotonic: () => 0 });
const text = async (html: string, links = true) => (await read(html, links)).text;
const LONG = 'Long text. '.repeat(30).trim();

describe('a page becomes text', () => {
  it.each<[string, string, string]>([
    ['headings and paragraphs', '<h1>One</h1><p>a\n  b</p><h2> Two </h2><p>c<p>d', '# One\n\na b\n\n## Two\n\nc\n\nd'],
    ['inline marks inside of words', '<p>H<sub>2</sub>O is <b>w<i>e</i>t</b>.<br>Next<br><br><br><br>line', 'H2O is wet.\nNext\n\nline'],
    ['lists, also in lists', '<ul><li>a<ul><li>b</li><li>c<p>d</li></ul></li><li>e</ul><ol start="9"><li>nine<li>ten</ol>', '- a\n  - b\n  - c\n    d\n- e\n9. nine\n10. ten'],
    ['lists without their frame', '<li>a</li><li>b</li>', '- a\n- b'],
    ['terms', '<dl><dt>Rye</dt><dd>A grain.</dd><dt>Oat</dt><dd>Another.</dd></dl>', 'Rye\n  A grain.\nOat\n  Another.'],
    ['tables as rows', '<table><caption>Prices</caption><thead><tr><th>Bread<th>Euro</thead><tr><td>Rye<td>3<br>50</td></tr><tr><td></td><td></td></tr><tr><td>Oat<td><p>4</p><p>10</p></table>', 'Prices\n\nBread | Euro\nRye | 3 50\nOat | 4 10'],
    ['tables that only place things', '<table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td><td><p>c</p></td></tr></table>', 'a | b\n\nc'],
    ['a table of one cell', '<table><tr><td><h1>T</h1><p>a</p></td></tr></table>', '# T\n\na'],
    ['code with its lines', '<pre><code>if (a) {\n  b();\n}\n</code></pre><p>x', 'if (a) {\n  b();\n}\n\nx'],
    ['quotes', '<blockquote><p>a<p>b</blockquote>', '> a\n\n> b'],
    ['entities', '<p>&lt;b&gt; &amp;amp; &euro;&nbsp;&#x41;&bogus;', '<b> &amp; € A&bogus;'],
    ['images by their words', '<p><img src=x alt="A  loaf"><img src=y><img alt="">', '[image: A loaf]'],
    ['a line', '<p>a<hr>b', 'a\n\n---\n\nb'],
    ['no HTML at all', 'just words & <', 'just words & <'],
    ['nothing', '', ''],
    ['broken nesting', '<p><b>a<p>b</b>c</div></p></table><td>d', 'a\n\nbc\n\nd'],
  ])('%s', async (_, html, expected) => expect(await text(html)).toBe(expected));
});

describe('links', () => {
  it.each<[string, string]>([
    ['<a href="x?y=1#z">rel</a>', 'rel (https://example.org/dir/x?y=1#z)'], ['<a href="//other.example/">other</a>', 'other (https://other.example/)'], ['<a href="https://a.example/">https://a.example/</a>', 'https://a.example/'],
    ['<a href="https://a.example/">a.example</a>', 'a.example'], ['<a href="#part">part</a>', 'part'], ['<a href="/dir/page#part">part</a>', 'part'], ['<a href="javascript:alert(1)">js</a>', 'js'], ['<a href="data:text/html,x">data</a>', 'data'],
    ['<a href="mailto:a@b.example">mail</a>', 'mail'], ['<a href="http://[">bad</a>', 'bad'], ['<a>none</a>', 'none'], ['<a href="x"></a>', ''], ['<a href="x"><img alt="pic"></a>', '[image: pic] (https://example.org/dir/x)'], ['<a href="\n x ">space</a>', 'space (https://example.org/dir/x)'],
    ['<base href="https://base.example/b/"><a href="x">based</a>', 'based (https://base.example/b/x)'], ['<base href="javascript:x"><a href="x">base</a>', 'base'], ['<a href="x"><div>block</div></a>', 'block\n\n(https://example.org/dir/x)'],
  ])('%s', async (html, expected) => expect(await text(html)).toBe(expected));
  it('leave their addresses out on request', async () => expect(await text('<p>see <a href="https://a.example/">this</a>.', false)).toBe('see this.'));
  it('too long to be of use lose their address', async () => expect(await text(`<a href="/${'x'.repeat(2_000)}">far</a>`)).toBe('far'));
});

describe('what is not there for readers is left out', () => {
  it.each([
    '<script>x</script>', '<style>x</style>', '<template><p>x</template>', '<p hidden>x', '<p hidden="until-found">x', '<p aria-hidden=true>x', '<p style="display:none">x', '<p style="color: red; DISPLAY : NONE !important">x', '<p style="visibility:hidden">x',
    '<p style="opacity:0">x', '<p style="opacity: 0.0; color: red">x', '<p style="font-size:0px">x', '<p style="font-size: 0">x', '<p style="text-indent:-9999px">x', '<p style="position:absolute;left:-10000px">x', '<p style="display:/**/none">x', '<div hidden><div><p>x</div></div>',
    '<svg><text>x</text><title>x</title></svg>', '<iframe>x</iframe>', '<object>x</object>', '<video>x</video>', '<canvas>x</canvas>', '<button>x</button>', '<select><option>x</select>', '<textarea>x</textarea>', '<input value=x>', '<dialog>x</dialog>', '<!-- x -->', '<p title=x>',
    '<nav>x</nav>', '<footer>x</footer>', '<aside>x</aside>', '<div role=navigation>x</div>', '<div role=dialog>x</div>', '<head><title>x</title></head>', '<ul><li hidden>x</ul>', '<table><tr><td hidden>x<td><tr hidden><td>x<td>x</table>', '<math><annotation>x</annotation></math>',
  ])('%s', async (html) => expect(await text(`<p>kept</p>${html}`)).toBe('kept'));
  it.each(['<p style="opacity:0.5">x', '<p style="font-size:0.9em">x', '<p style="left:-10px">x', '<p aria-hidden=false>x', '<dialog open>x</dialog>', '<details><summary>x</summary></details>', '<article><footer>x</footer></article>'])('but not %s', async (html) => expect(await text(html)).toBe('x'));
  it('unless nothing else is there', async () => {
    expect(await text('<nav>Only a <a href="/x">menu</a></nav>')).toBe('Only a menu (https://example.org/x)');
    expect(await text('<nav hidden>x</nav><script>y</script>')).toBe('');
  });
  it('and the main part stands for the page, when there is one and it holds enough', async () => {
    expect(await read(`<div>around</div><main><p>${LONG}</main>`)).toMatchObject({ text: LONG, notes: ['the main part of the page'] });
    expect((await read(`<div>around</div><article>${LONG}</article>`)).text).toBe(LONG);
    expect((await read(`<p>around<main>short</main>`)).text).toBe('around\n\nshort');
    expect((await read(`<p>around<article>${LONG}</article><article>${LONG}</article>`)).text).toContain('around');
    expect((await read(`<p>around<main hidden>${LONG}</main>`)).text).toBe('around');
  });
  it('and a page that only scripts fill says so, with what little it has', async () => {
    expect(await read('<meta name=description content="A shop\nfor bread."><div id=app></div><noscript>Please <b>turn</b> on scripts.<script>x</script></noscript><script src=app.js></script>')).toEqual({
      title: undefined, text: 'A shop for bread.\n\nPlease turn on scripts.', notes: ['the page has scripts, which were not run, and little text without them'],
    });
  });
  it('and invisible characters are gone, so that nothing can hide in them', async () => expect(await text('<p>a&#8203;b&#x202e;c\u{e0061}d&shy;e')).toBe('abcde'));
});

it('the title is one clean line of bounded length', async () => {
  expect((await read(`<title> A\n&#8203; <b>title</b> ${'x'.repeat(500)}</title>`)).title).toMatch(/^A <b>title<\/b> x{180,190}$/);
  expect((await read('<svg><title>drawing</title></svg><p>x')).title).toBeUndefined();
});

describe('a hostile page', () => {
  const many = (piece: string): string => piece.repeat(Math.floor(1_000_000 / piece.length));
  it.each([
    '<div>', '<b>', '<b><p>', '<a><div>', '<ul><li>', '<li>', '<table>', '<table><tr><td>', '<blockquote>', '<svg><p>', '<template>', '<select><option>', '<form>', '<a href=x>', '<p style="/*', '<pre> ', '<ol><li>x', '&amp;', '<!--', '<![CDATA[', '</p>', '<h1>', '<font size=1>', '<button>', '<main>', '<nav>', '<footer>', '\u0000', ' ', '<br>', '\ud800',
  ])('of a megabyte of %j is read', async (piece) => expect(typeof (await read(many(piece))).text).toBe('string'));
  it('that makes a parser build more than there is, is read up to a limit', async () => {
    const opened = Array.from({ length: 500 }, (_, index) => `<b x${index}>`).join('');
    const result = await read(`<p>first<p>${opened}${'<p>x'.repeat(100_000)}`);
    expect([result.text.startsWith('first'), result.notes]).toEqual([true, ['the page holds more than was read']]);
  });
  it('loses nothing by nesting deeply', async () => expect(await text(`${'<div>'.repeat(5_000)}deep<script>no</script>${'</div>'.repeat(5_000)}`)).toBe('deep'));
  it('with runs of white space in table cells, styles and attributes is read', async () => {
    for (const html of [`<table><tr><td><pre>${' '.repeat(500_000)}x</pre><td>y</table>`, `<p style="${'/*'.repeat(300_000)}">x`, `<p ${Array.from({ length: 100_000 }, (_, index) => `a${index}`).join(' ')}>x`, `<pre>${' \n'.repeat(300_000)}</pre>x`]) {
      expect(await text(html)).toContain('x');
    }
  });
  it('made of anything never throws, and leaves no control characters', async () => {
    const piece = fc.oneof(fc.constantFrom('<', '>', '"', '<p>', '</p>', '<table>', '<td>', '<li>', '<a href="', '<!--', '-->', '<script>', '</script>', '<svg>', '<math>', '<template>', '&#0;', '<main>', '<pre>', '\u0000', '<title>', '<base href=', '<frameset>', '<body hidden>', '<html hidden>'), fc.string());
    await fc.assert(fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      const result = await read(pieces.join(''));
      expect(`${result.title}${result.text}`).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f\u200b\u202e]/);
    }));
  });
});
