import * as z from 'zod/mini';
import type { ArtooError } from '../../contracts/errors.js';
import type { Clock } from '../../contracts/runtime.js';
import type { Tool } from '../../contracts/tool.js';
import { cleanText } from '../../text/index.js';
import { defineTool } from '../define-tool.js';
import { ToolError } from '../tool-error.js';
import type { GuardedFetch, GuardedResponse } from './guarded-fetch.js';
import type { HostTest } from './host-list.js';
import { mayBeText, pageText, type PageText } from './page-text.js';
import { pageWindow } from './page-window.js';
import { LONGEST_ADDRESS, normalAddress, readAddress, shownAddress } from './web-address.js';

export interface FetchUrlParts {
  readonly fetch: GuardedFetch;
  readonly clock: Clock;
  readonly mayBePrivate: HostTest;
  readonly vouchedFor: HostTest;
  readonly headers: (url: URL) => Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly maxCharacters: number;
  readonly timeoutMs: number;
}

/** What is read of a page that says no. */
const REFUSAL_BYTES = 65_536;
const REFUSAL_CHARACTERS = 500;
const ACCEPT = 'text/html, application/xhtml+xml, application/json, text/*;q=0.9, application/xml;q=0.9, */*;q=0.5';
const ALLOWED_BY = 'The host application can allow it with `allowPrivate` of fetchUrl; use a public address.';

/** The tool `fetchUrl` over a given network. */
export function fetchUrlTool(parts: FetchUrlParts): Tool {
  const { vouchedFor, maxCharacters, timeoutMs } = parts;
  return defineTool({
    name: 'fetchUrl',
    description: 'Reads a page of the web by GET and returns its readable text under a short head (address, status, type, size). '
      + `A long page comes in parts of about ${maxCharacters} characters: go on with \`offset\`, or jump with \`find\`. `
      + 'Images, archives and other files are described, not shown. Scripts of a page are not run.',
    input: z.object({
      url: z.string().check(z.minLength(1), z.maxLength(LONGEST_ADDRESS), z.describe('Whole address with http:// or https://.')),
      offset: z.optional(z.int().check(z.minimum(0), z.describe('Character of the text to begin at, as the head of the part before said.'))),
      find: z.optional(z.string().check(z.minLength(1), z.maxLength(200), z.describe('Begin at the first place, from offset on, where these words stand.'))),
      links: z.optional(z.boolean().check(z.describe('False leaves out the addresses of links, which saves room. Default true.'))),
    }),
    effect: 'read',
    target: ({ url }) => normalAddress(url),
    outward: ({ url }) => (isVouchedFor(url, vouchedFor) ? undefined : [url]),
    // The call's own limit comes first and says more.
    timeoutMs: timeoutMs + 10_000,
    execute: async ({ url: text, offset = 0, find, links = true }, { signal }) => {
      const url = readAddress(text);
      const response = await request(parts, url, signal);
      if (response.status >= 400 || (response.status >= 300 && response.status !== 304)) throw await refusal(parts, response);
      const page = await pageText({ ...response, links, monotonic: parts.clock.monotonic });
      return report({ response, page, from: url, offset, find, maxCharacters });
    },
  });
}

function request({ fetch, mayBePrivate, vouchedFor, headers, maxBytes }: FetchUrlParts, url: URL, signal: AbortSignal): Promise<GuardedResponse> {
  return fetch({
    url, signal, mayBePrivate, allowedBy: ALLOWED_BY,
    // A host that is vouched for was called unasked; where it redirects to was vouched for by nobody.
    mayLeaveTo: vouchedFor(url) ? vouchedFor : undefined,
    headers: (hop) => ({ accept: ACCEPT, ...headers(hop) }),
    wanted: (head) => {
      if (!mayBeText(head) || head.status === 204 || head.status === 205 || head.status === 304) return 0;
      return head.status >= 400 ? REFUSAL_BYTES : maxBytes;
    },
  });
}

function isVouchedFor(text: string, vouchedFor: HostTest): boolean {
  try {
    return vouchedFor(readAddress(text));
  } catch {
    return false;
  }
}

/** A status that is no success, with the little that the page says about it. */
async function refusal({ clock }: FetchUrlParts, response: GuardedResponse): Promise<ArtooError> {
  const { status, url, headers } = response;
  const page = await pageText({ ...response, links: false, monotonic: clock.monotonic });
  const said = pageWindow([page.title, page.text].filter((part) => part !== undefined && part !== '').join('\n'), { offset: 0, room: REFUSAL_CHARACTERS })?.text.trim() ?? '';
  const wait = /^\s*[\w ,:+-]{1,40}\s*$/.exec(headers.get('retry-after') ?? '')?.[0].trim();
  return ToolError.environmental(`${shownAddress(url)} answered with the status ${status}${status < 400 ? ', a redirect to nowhere' : ''}.${wait === undefined ? '' : ` It asks to wait: ${wait}.`}`, {
    hint: HINTS.get(status) ?? (status >= 500 ? 'Try it later, or use another source.' : 'Check the address, or use another source.'),
    ...(said === '' ? {} : { output: said }),
  });
}

const HINTS: ReadonlyMap<number, string> = new Map([
  [401, 'It needs a login, which this tool has not; use another source.'], [403, 'It does not let this tool in; use another source.'],
  [404, 'There is no such page: check the address, or search for it.'], [410, 'The page is gone: search for it elsewhere.'], [429, 'It was asked too often: wait, or use another source.'],
]);

interface Report {
  readonly response: GuardedResponse;
  readonly page: PageText;
  readonly from: URL;
  readonly offset: number;
  readonly find: string | undefined;
  readonly maxCharacters: number;
}

function report({ response, page, from, offset, find, maxCharacters }: Report): string {
  const { url, status, truncated } = response;
  const head = [
    `Address: ${url.href}`, ...(url.href === from.href ? [] : [`Asked for: ${from.href}`]), `Status: ${status}`, `Type: ${page.type}`, `Size: ${sizeOf(response, page)}`,
    ...(truncated ? ['Cut: there is more than was read; the text is the beginning'] : []),
    ...(page.notes.length > 0 ? [`Note: ${page.notes.join('; ')}`] : []),
    ...(page.title === undefined ? [] : [`Title: ${cleanText(page.title)}`]),
  ].join('\n');
  if (page.text === undefined) return `${head}\n\n[not text, so it is not shown]`;
  if (page.text === '') return `${head}\n\n[there is no text]`;
  const window = pageWindow(page.text, { offset, find, room: Math.max(500, maxCharacters - head.length - 120) });
  if (!window) throw ToolError.logical(`${JSON.stringify(find)} does not stand in the text of ${shownAddress(url)}${offset > 0 ? ` from character ${offset} on` : ''}.`, { hint: `The text has ${page.text.length} characters: look for other words, or read it in parts.` });
  if (window.start >= page.text.length) throw ToolError.logical(`The text of ${shownAddress(url)} has only ${page.text.length} characters.`, { hint: 'Give a smaller offset.' });
  const whole = window.start === 0 && window.end === page.text.length;
  const more = window.end < page.text.length ? `; go on with offset ${window.end}` : '';
  return `${head}${whole ? '' : `\nShown: characters ${window.start} to ${window.end} of ${page.text.length}${more}`}\n\n${window.text}`;
}

function sizeOf({ headers, body, truncated }: GuardedResponse, { text }: PageText): string {
  if (text !== undefined) return `${truncated ? 'more than ' : ''}${body.length} bytes`;
  const length = headers.get('content-length');
  return length !== undefined && /^\d{1,15}$/.test(length) ? `${Number(length)} bytes` : 'not given';
}
