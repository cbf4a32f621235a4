import { attribute, elementsBelow, isElement, isText, textBelow, type HtmlElement, type HtmlNode } from './html-tree.js';

export interface WriteBlocksOptions {
  readonly base: URL;
  /** The page itself: links into it are no links to follow. */
  readonly page: URL;
  readonly links: boolean;
  /** Branches that are left out. */
  readonly skip: (element: HtmlElement) => boolean;
}

const BLOCKS: ReadonlySet<string> = new Set([
  'address', 'article', 'aside', 'body', 'blockquote', 'caption', 'center', 'dd', 'details', 'dialog', 'dir', 'div', 'dl', 'dt', 'fieldset', 'figcaption', 'figure', 'footer', 'form',
  'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'hgroup', 'hr', 'html', 'legend', 'li', 'listing', 'main', 'menu', 'nav', 'ol', 'p', 'plaintext', 'pre', 'search', 'section', 'summary',
  'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr', 'ul', 'xmp',
]);
/** Below this many levels a branch is written as plain text: nobody nests so deep for readers, and the stack has an end. */
const DEEPEST = 300;
const LONGEST_LINK = 500;
/** Stands for a forced line end until white space is collapsed; a parsed page holds no NUL. */
const LINE_END = '\u0000';

interface Place { readonly depth: number; readonly indent: string; readonly pre: boolean; readonly tight: boolean }

/** Writes a branch as blocks of plain text, set apart by empty lines, with marks as in Markdown. */
export function writeBlocks(root: HtmlElement, options: WriteBlocksOptions): string {
  const writer = new BlockWriter(options);
  writer.children(root, { depth: 0, indent: '', pre: false, tight: false });
  return writer.finish();
}

class BlockWriter {
  private readonly blocks: { readonly text: string; readonly tight: boolean }[] = [];
  private inline: string[] = [];
  private marker = '';
  private place: Place = { depth: 0, indent: '', pre: false, tight: false };

  constructor(private readonly options: WriteBlocksOptions) {}

  finish(): string {
    this.flush();
    return this.blocks.map(({ text, tight }, index) => (index === 0 ? text : `${tight && this.blocks[index - 1]?.tight ? '\n' : '\n\n'}${text}`)).join('');
  }

  children(parent: HtmlElement, place: Place): void {
    for (const child of parent.childNodes) this.node(child, place);
  }

  private node(node: HtmlNode, place: Place): void {
    if (isText(node)) {
      this.say(place.pre ? node.value : node.value.replace(/[ \t\n\r\f\u00a0]+/g, ' '), place);
    } else if (isElement(node) && !this.options.skip(node)) {
      if (place.depth >= DEEPEST) this.say(textBelow(node, (element) => !this.options.skip(element)).replace(/\s+/g, ' '), place);
      else this.element(node, { ...place, depth: place.depth + 1 });
    }
  }

  private say(text: string, place: Place): void {
    if (this.inline.length === 0) this.place = place;
    this.inline.push(text);
  }

  private element(element: HtmlElement, place: Place): void {
    const { tagName } = element;
    if (tagName === 'br') this.say(LINE_END, place);
    else if (tagName === 'img') this.image(element, place);
    else if (tagName === 'a') this.link(element, place);
    else if (tagName === 'table') this.table(element, place);
    else if (BLOCKS.has(tagName)) this.block(element, place);
    else this.children(element, place);
  }

  private block(element: HtmlElement, place: Place): void {
    const { tagName } = element;
    this.flush();
    if (tagName === 'hr') this.add('---', place);
    else if (/^h[1-6]$/.test(tagName)) {
      this.marker = `${'#'.repeat(Number(tagName[1]))} `;
      this.children(element, { ...place, tight: false });
    } else if (tagName === 'ul' || tagName === 'ol' || tagName === 'menu' || tagName === 'dir') this.list(element, place);
    else if (tagName === 'li') this.item(element, '- ', place);
    else if (tagName === 'dd') this.children(element, { ...place, indent: `${place.indent}  `, tight: true });
    else if (tagName === 'dt') this.children(element, { ...place, tight: true });
    else if (tagName === 'blockquote') this.children(element, { ...place, indent: `${place.indent}> ` });
    else if (tagName === 'pre' || tagName === 'listing' || tagName === 'xmp' || tagName === 'plaintext') this.children(element, { ...place, pre: true });
    else this.children(element, place);
    this.flush();
    this.marker = '';
  }

  private list(list: HtmlElement, place: Place): void {
    const start = Number.parseInt(attribute(list, 'start') ?? '1', 10);
    let number = Number.isSafeInteger(start) ? start : 1;
    for (const child of list.childNodes) {
      if (isElement(child) && child.tagName === 'li') {
        if (this.options.skip(child)) continue;
        this.flush();
        this.item(child, list.tagName === 'ol' ? `${number}. ` : '- ', place);
        number += 1;
      } else this.node(child, place);
    }
  }

  private item(item: HtmlElement, marker: string, place: Place): void {
    this.marker = marker;
    this.children(item, { ...place, depth: place.depth + 1, indent: `${place.indent}${' '.repeat(marker.length)}`, tight: true });
    this.flush();
    this.marker = '';
  }

  private image(image: HtmlElement, place: Place): void {
    const alt = (attribute(image, 'alt') ?? '').replace(/\s+/g, ' ').trim();
    if (alt !== '') this.say(`[image: ${alt}]`, place);
  }

  private link(link: HtmlElement, place: Place): void {
    const from = this.inline.length;
    const blocksBefore = this.blocks.length;
    this.children(link, place);
    const address = this.options.links ? this.addressOf(link) : undefined;
    if (address === undefined) return;
    const text = this.blocks.length > blocksBefore ? 'blocks' : this.inline.slice(from).join('').trim();
    if (text !== '' && text !== address && text !== address.replace(/^https?:\/\/|\/$/g, '')) this.say(` (${address})`, place);
  }

  private addressOf(link: HtmlElement): string | undefined {
    const href = attribute(link, 'href')?.trim();
    if (href === undefined || href === '' || href.startsWith('#')) return undefined;
    let url: URL;
    try {
      url = new URL(href, this.options.base);
    } catch {
      return undefined;
    }
    if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.href.length > LONGEST_LINK) return undefined;
    const bare = url.href.split('#')[0];
    return bare === this.options.page.href ? undefined : url.href;
  }

  /** Rows as `a | b | c`; a table that holds tables is only a way of placing things. */
  private table(table: HtmlElement, place: Place): void {
    this.flush();
    const inner: HtmlElement[] = [];
    for (const element of elementsBelow(table, (one) => !this.options.skip(one))) {
      if (element.tagName === 'table') {
        this.children(table, place);
        this.flush();
        return;
      }
      inner.push(element);
    }
    for (const row of inner) {
      if (row.tagName === 'caption') this.block(row, place);
      if (row.tagName !== 'tr') continue;
      const cells = row.childNodes.filter((node): node is HtmlElement => isElement(node) && /^t[dh]$/.test(node.tagName) && !this.options.skip(node));
      // A single cell may hold a whole page.
      if (cells.length === 1) this.block(cells[0]!, place);
      else {
        const texts = cells.map((cell) => this.cellText(cell, place.depth));
        if (texts.some((text) => text !== '')) this.add(texts.join(' | '), { ...place, tight: true });
      }
    }
  }

  private cellText(cell: HtmlElement, depth: number): string {
    const writer = new BlockWriter(this.options);
    writer.children(cell, { depth: depth + 1, indent: '', pre: false, tight: false });
    return writer.finish().split('\n').map((line) => line.trim()).filter((line) => line !== '').join(' ');
  }

  private flush(): void {
    if (this.inline.length === 0) return;
    const raw = this.inline.join('');
    this.inline = [];
    const text = this.place.pre
      ? raw.replaceAll(LINE_END, '\n').replace(/^\n+/, '').trimEnd()
      : raw.replace(/ +/g, ' ').replace(/ ?\u0000 ?/g, '\n').replace(/\n{3,}/g, '\n\n').trim();
    if (text !== '') this.add(text, this.place);
  }

  private add(text: string, { indent, tight }: Place): void {
    const first = this.marker === '' || /^#/.test(this.marker) ? `${indent}${this.marker}` : `${indent.slice(0, Math.max(0, indent.length - this.marker.length))}${this.marker}`;
    this.marker = '';
    this.blocks.push({ text: `${first}${text.replaceAll('\n', `\n${indent}`)}`, tight });
  }
}
