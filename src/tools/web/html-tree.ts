import type { DefaultTreeAdapterTypes as Parse5 } from 'parse5';

export type HtmlElement = Parse5.Element;
export type HtmlNode = Parse5.ChildNode;
export type HtmlDocument = Parse5.Document;

/** A parsed page. `cut`: it was too much, and the tree ends where the limit was reached. */
export interface HtmlTree { readonly document: HtmlDocument; readonly cut: boolean }

/** A page of 2 MB with an element every ten bytes stays below. */
const MOST_ELEMENTS = 200_000;
const MOST_PARSING_MS = 3_000;

export interface ParseHtmlOptions {
  /** In ms, never backwards. */
  readonly monotonic: () => number;
}

/**
 * Parses a page as a browser does. A page can make a parser build many more elements than it has bytes (unclosed `<b>` before each
 * `<p>` are opened anew in every one of them), so elements are counted, and what was built until then is kept.
 */
export async function parseHtml(html: string, { monotonic }: ParseHtmlOptions): Promise<HtmlTree> {
  // Loaded at the first page: most processes never read one.
  const { parse, defaultTreeAdapter } = await import('parse5');
  const until = monotonic() + MOST_PARSING_MS;
  let document: HtmlDocument = defaultTreeAdapter.createDocument();
  let elements = 0;
  const enough = new Error('enough');
  try {
    parse(html, {
      scriptingEnabled: false,
      treeAdapter: {
        ...defaultTreeAdapter,
        createDocument: () => (document = defaultTreeAdapter.createDocument()),
        createElement: (...parts) => {
          elements += 1;
          if (elements > MOST_ELEMENTS || (elements % 256 === 0 && monotonic() > until)) throw enough;
          return defaultTreeAdapter.createElement(...parts);
        },
      },
    });
    return { document, cut: false };
  } catch (error) {
    if (error !== enough) throw error;
    return { document, cut: true };
  }
}

/** An attribute of an element, by its lower-case name. */
export function attribute(element: HtmlElement, name: string): string | undefined {
  return element.attrs.find((one) => one.name === name)?.value;
}

/** Whether an element has a class. */
export function hasClass(element: HtmlElement, name: string): boolean {
  return attribute(element, 'class')?.split(/\s+/).includes(name) ?? false;
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return 'tagName' in node;
}

export function isText(node: HtmlNode): node is Parse5.TextNode {
  return node.nodeName === '#text';
}

/** Every element below, in the order of the page. `enter` may keep out whole branches. Without recursion: pages may nest without end. */
export function* elementsBelow(root: HtmlDocument | HtmlElement, enter: (element: HtmlElement) => boolean = () => true): Generator<HtmlElement> {
  const waiting: HtmlNode[] = root.childNodes.toReversed();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (!isElement(node) || !enter(node)) continue;
    yield node;
    for (let index = node.childNodes.length - 1; index >= 0; index -= 1) waiting.push(node.childNodes[index]!);
  }
}

/** The text below, as it stands there, without what `enter` keeps out. */
export function textBelow(root: HtmlNode, enter: (element: HtmlElement) => boolean = () => true): string {
  const parts: string[] = [];
  const waiting: HtmlNode[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (isText(node)) parts.push(node.value);
    else if (isElement(node) && (node === root || enter(node))) {
      for (let index = node.childNodes.length - 1; index >= 0; index -= 1) waiting.push(node.childNodes[index]!);
    }
  }
  return parts.join('');
}
