import { attribute, type HtmlElement } from './html-tree.js';

/** What holds no text for readers, shown or not. */
const NEVER_TEXT: ReadonlySet<string> = new Set([
  'script', 'style', 'template', 'noscript', 'noembed', 'noframes', 'iframe', 'frame', 'object', 'embed', 'applet', 'svg', 'canvas', 'video', 'audio', 'map',
  'head', 'link', 'meta', 'input', 'select', 'textarea', 'button', 'datalist', 'progress', 'meter', 'annotation', 'annotation-xml', 'rp', 'title',
]);
const JUNK_ROLES: ReadonlySet<string> = new Set(['navigation', 'menu', 'menubar', 'toolbar', 'search', 'contentinfo', 'complementary', 'dialog', 'alertdialog', 'tooltip']);
/** Inside of a page's main part these belong to it. */
const OUTER_JUNK: ReadonlySet<string> = new Set(['footer', 'aside']);
const MAIN: ReadonlySet<string> = new Set(['main', 'article', 'section', 'blockquote', 'figure', 'td']);
/** Ways of writing text that nobody sees, as an author of hidden instructions would. */
const INVISIBLE_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0*(?:\.0*)?%?\s*(?:;|!|$)|font-size\s*:\s*0*(?:\.0*)?(?:px|pt|em|rem|%)?\s*(?:;|!|$)|content-visibility\s*:\s*hidden|text-indent\s*:\s*-\d{3,}|(?:left|top|right|bottom|margin-left|margin-top)\s*:\s*-\d{4,})/i;

/** How much of a style is looked at, in characters. */
const LONGEST_STYLE = 2_000;

export function isNeverText(element: HtmlElement): boolean {
  return NEVER_TEXT.has(element.tagName);
}

/** Whether an element is not shown, as far as its own attributes say so. */
export function isHidden(element: HtmlElement): boolean {
  if (isNeverText(element)) return true;
  if (element.tagName === 'dialog') return attribute(element, 'open') === undefined;
  if (element.attrs.length === 0) return false;
  if (attribute(element, 'hidden') !== undefined || attribute(element, 'aria-hidden')?.trim().toLowerCase() === 'true') return true;
  const style = attribute(element, 'style');
  return style !== undefined && INVISIBLE_STYLE.test(style.slice(0, LONGEST_STYLE).replace(/\/\*[\s\S]*?\*\//g, ''));
}

/** Whether an element leads around the site instead of being what the page is about. */
export function isJunk(element: HtmlElement): boolean {
  if (element.tagName === 'nav') return true;
  const role = attribute(element, 'role')?.trim().toLowerCase();
  if (role !== undefined && JUNK_ROLES.has(role)) return true;
  return OUTER_JUNK.has(element.tagName) && !standsInMain(element);
}

function standsInMain(element: HtmlElement): boolean {
  let parent = element.parentNode;
  for (let steps = 0; parent && steps < 100; steps += 1) {
    if ('tagName' in parent && MAIN.has(parent.tagName)) return true;
    parent = 'parentNode' in parent ? parent.parentNode : null;
  }
  return false;
}
