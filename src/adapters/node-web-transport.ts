import { lookup } from 'node:dns/promises';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { RequestOptions as TlsRequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import { abortError, onAbort } from '../signals/index.js';
import { parseIp } from '../tools/web/ip-address.js';
import { hostOf } from '../tools/web/web-address.js';
import type { ResponseHead, TransportRequest, TransportResponse, WebTransport } from '../tools/web/web-transport.js';
import { readBody } from './node-web-body.js';
import { networkFailure } from './node-web-failure.js';

/** Of all response headers together, in bytes. */
const MOST_HEADER_BYTES = 32_768;

/** What tests put in the place of the network's own parts. */
export interface NodeWebSeams {
  /** Every address of a name; default: the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** Certificates to trust instead of the built-in ones. */
  readonly certificates?: string;
}

/** The network by Node's own http and https clients, each request on a connection of its own. */
export function nodeWebTransport({ resolve = systemResolve, certificates }: NodeWebSeams = {}): WebTransport {
  return {
    async resolve(host, signal) {
      try {
        const addresses = await resolve(host);
        if (signal.aborted) throw abortError(signal);
        return addresses;
      } catch (cause) {
        throw networkFailure(cause, host);
      }
    },
    get: (request) => get(request, certificates),
  };
}

async function systemResolve(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

async function get(request: TransportRequest, certificates: string | undefined): Promise<TransportResponse> {
  const { url, signal } = request;
  const start = await starter(url, certificates);
  if (signal.aborted) throw abortError(signal);
  let outgoing: ClientRequest | undefined;
  let stop = (): void => undefined;
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing = start(requestOptions(request));
      // Stays for good: a socket may fail once more after its answer is complete.
      outgoing.on('error', reject);
      outgoing.on('response', resolve);
      outgoing.on('upgrade', (_response, socket) => {
        socket.destroy();
        reject(new Error('it wants to speak another protocol'));
      });
      outgoing.on('close', () => reject(new Error('the connection was closed without an answer')));
      outgoing.on('socket', (socket) => socket.once('connect', () => {
        if (!isAmong(socket.remoteAddress, request.addresses)) outgoing?.destroy(new Error('the connection led to an address that was not checked'));
      }));
      stop = onAbort(signal, () => outgoing?.destroy(abortError(signal)));
      outgoing.end();
    });
    const head = headOf(response);
    const limit = Math.min(request.maxBytes, request.wanted(head));
    if (limit <= 0) return { ...head, body: new Uint8Array(), truncated: false };
    return { ...head, ...await readBody(response, { limit, encoding: head.headers.get('content-encoding') ?? '' }) };
  } catch (cause) {
    throw signal.aborted ? abortError(signal) : networkFailure(cause, url.host);
  } finally {
    stop();
    outgoing?.destroy();
  }
}

/** Loaded at the first request: most processes never make one. */
async function starter(url: URL, certificates: string | undefined): Promise<(options: RequestOptions) => ClientRequest> {
  if (url.protocol === 'http:') return (await import('node:http')).request;
  const { request } = await import('node:https');
  // Said outright: an environment variable could switch the check off otherwise.
  const strict = { rejectUnauthorized: true, ...(certificates === undefined ? {} : { ca: certificates }) };
  return (options: TlsRequestOptions) => request({ ...options, ...strict });
}

function requestOptions({ url, addresses, headers }: TransportRequest): RequestOptions {
  return {
    method: 'GET', protocol: url.protocol, hostname: hostOf(url), port: url.port === '' ? undefined : url.port, path: `${url.pathname}${url.search}`,
    headers: { ...headers, 'accept-encoding': 'gzip, deflate, br' },
    // No shared agent: it could hold sockets open, or a proxy from the environment.
    agent: false,
    maxHeaderSize: MOST_HEADER_BYTES,
    lookup: pinned(addresses),
  };
}

/** Answers with the addresses that were checked, whatever the name would resolve to by now. */
function pinned(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (_host, options, callback) => {
    const [first] = entries;
    if (options.all || !first) callback(null, entries);
    else callback(null, first.address, first.family);
  };
}

/** Compared by value: an IPv6 address has many spellings. */
function isAmong(address: string | undefined, addresses: readonly string[]): boolean {
  const key = (text: string): string => parseIp(text)?.join('.') ?? text;
  return address !== undefined && addresses.some((one) => key(one) === key(address));
}

function headOf(response: IncomingMessage): ResponseHead {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return { status: response.statusCode ?? 0, headers };
}
