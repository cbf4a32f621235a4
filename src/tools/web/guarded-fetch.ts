import type { Clock } from '../../contracts/runtime.js';
import { abortError, runWithTimeout } from '../../signals/index.js';
import { ToolError } from '../tool-error.js';
import type { HostTest } from './host-list.js';
import { parseIp, privateKind } from './ip-address.js';
import { hostOf, localName, readAddress, shownAddress } from './web-address.js';
import type { ResponseHead, TransportResponse, WebTransport } from './web-transport.js';

export interface GuardedFetchOptions {
  readonly transport: WebTransport;
  readonly clock: Clock;
  /** Of the whole call, all redirects included, in ms. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly maxRedirects: number;
  readonly userAgent: string;
}

export interface GuardedRequest {
  readonly url: URL;
  readonly signal: AbortSignal;
  /** Which addresses may be of a private network, and have a local name. */
  readonly mayBePrivate: HostTest;
  /** How a refusal of a private address names what would allow it. */
  readonly allowedBy: string;
  /** Whether a redirect may be followed to there; default: anywhere that is not refused for itself. */
  readonly mayLeaveTo?: HostTest | undefined;
  /** Asked anew for each hop, so that what is meant for one host never reaches another. */
  readonly headers?: ((url: URL) => Readonly<Record<string, string>>) | undefined;
  readonly wanted?: ((head: ResponseHead) => number) | undefined;
}

export interface GuardedResponse extends TransportResponse {
  /** Where the answer came from, after all redirects. */
  readonly url: URL;
  readonly redirects: number;
}

/** One GET through the guard. Any status that is no redirect is an answer. */
export type GuardedFetch = (request: GuardedRequest) => Promise<GuardedResponse>;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * GET requests to where they may go: scheme, host and every resolved address are checked before each hop, and the connection goes
 * to the addresses that were checked, so a name that resolves differently a moment later leads nowhere else.
 */
export function guardedFetch(options: GuardedFetchOptions): GuardedFetch {
  return (request) => runWithTimeout({
    clock: options.clock, signal: request.signal, ms: options.timeoutMs,
    run: (signal) => follow(options, { ...request, signal }),
    onTimeout: () => ToolError.environmental(`${shownAddress(request.url)} did not answer completely within ${options.timeoutMs} ms.`, {
      hint: 'Try it once more, or use another source.',
    }),
  });
}

async function follow(options: GuardedFetchOptions, request: GuardedRequest): Promise<GuardedResponse> {
  const seen = new Set<string>();
  let url = request.url;
  for (;;) {
    if (seen.has(url.href)) throw ToolError.environmental(`${shownAddress(request.url)} leads in a circle: it redirects to ${shownAddress(url)} again.`, { hint: 'Use another source.' });
    seen.add(url.href);
    const response = await hop(options, request, url);
    const location = REDIRECTS.has(response.status) ? response.headers.get('location') : undefined;
    if (location === undefined) return { ...response, url, redirects: seen.size - 1 };
    const next = redirectTarget(location, url);
    if (seen.size > options.maxRedirects) {
      throw ToolError.environmental(`${shownAddress(request.url)} redirects more than ${options.maxRedirects} times, last to ${shownAddress(next)}.`, { hint: 'Call the last address itself if you trust it.' });
    }
    if (request.mayLeaveTo && !request.mayLeaveTo(next)) {
      throw ToolError.logical(`${shownAddress(url)} redirects to another host, ${shownAddress(next)}, which was not followed.`, { hint: 'Call that address itself if it is needed.' });
    }
    url = next;
  }
}

async function hop({ transport, maxBytes, userAgent }: GuardedFetchOptions, request: GuardedRequest, url: URL): Promise<TransportResponse> {
  const { signal, wanted = () => maxBytes } = request;
  const addresses = await checkedAddresses(transport, request, url);
  if (signal.aborted) throw abortError(signal);
  return transport.get({
    url, addresses, maxBytes, signal,
    headers: { accept: '*/*', 'user-agent': userAgent, ...request.headers?.(url) },
    wanted: (head) => (REDIRECTS.has(head.status) && head.headers.has('location') ? 0 : wanted(head)),
  });
}

async function checkedAddresses(transport: WebTransport, { signal, mayBePrivate, allowedBy }: GuardedRequest, url: URL): Promise<readonly string[]> {
  const host = hostOf(url);
  const free = mayBePrivate(url);
  const refuse = (kind: string): Error => ToolError.logical(`${shownAddress(url)} was not fetched: ${host} is ${kind}, and private addresses are refused.`, { hint: allowedBy });
  const local = localName(host);
  if (local !== undefined && !free) throw refuse(local);
  const addresses = parseIp(host) ? [host] : await transport.resolve(host, signal);
  if (addresses.length === 0) throw ToolError.environmental(`${shownAddress(url)} could not be reached: the name ${host} has no address.`, { hint: 'Check the spelling of the host.' });
  if (!free) {
    // One private address among public ones is enough: which of them a connection takes is nobody's choice.
    for (const address of addresses) {
      const kind = privateKind(address);
      // Which one it is stays here: a model need not learn the addresses of a private network.
      if (kind !== undefined) throw refuse(address === host ? kind : `the name of ${kind}`);
    }
  }
  return addresses;
}

function redirectTarget(location: string, from: URL): URL {
  try {
    return readAddress(location, from);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw ToolError.environmental(`${shownAddress(from)} redirects to where no call may go. ${why}`, { cause, hint: 'Use another source.' });
  }
}
