import { cleanText, headTail } from '../../text/index.js';

/**
 * What is used of a `Client` of `@modelcontextprotocol/sdk` (or of `@modelcontextprotocol/client`), connected; any object of this shape will do. The tools use it,
 * they never close it.
 */
export interface McpClient {
  listTools(parameters?: never, options?: never): PromiseLike<unknown>;
  callTool(parameters: never, resultSchema?: never, options?: never): PromiseLike<unknown>;
  /** Reads the list with one malformed tool in it; `listTools` of the SDK fails as a whole then. */
  request?(request: never, resultSchema: never, options?: never): PromiseLike<unknown>;
  setNotificationHandler?(schema: never, handler: never): void;
  ping?(options?: never): PromiseLike<unknown>;
  getServerVersion?(): unknown;
  getServerCapabilities?(): unknown;
  /** Undefined once the connection is closed. */
  readonly transport?: unknown;
}

export interface WireOptions {
  readonly signal?: AbortSignal;
  /** In ms, at most 2^31 - 1. */
  readonly timeout?: number;
  readonly onprogress?: (progress: unknown) => void;
}

/** {@link McpClient} with the types that the calls are made with. */
export interface Wire {
  listTools(parameters: object, options: WireOptions): PromiseLike<unknown>;
  callTool(parameters: object, ...rest: readonly unknown[]): PromiseLike<unknown>;
  request?(request: object, resultSchema: unknown, options: WireOptions): PromiseLike<unknown>;
  setNotificationHandler?(schema: unknown, handler: (notification: unknown) => unknown): void;
  ping?(options: WireOptions): PromiseLike<unknown>;
}

/** A server, its client, and the name that people know it by. */
export interface McpServer {
  readonly wire: Wire;
  readonly client: McpClient;
  readonly label: string;
  readonly call: (parameters: { readonly name: string; readonly arguments: unknown }, options: WireOptions) => PromiseLike<unknown>;
}

const LONGEST_LABEL = 60;
/** Node's timers end here. The SDK's own limit must never be the first to strike. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Version 1 of the SDK takes a result schema before the options of a call, version 2 doesn't. */
export function serverOf(client: McpClient, generation: 1 | 2): McpServer {
  const wire = client as unknown as Wire;
  return {
    wire, client, label: labelOf(client),
    call: (parameters, options) => (generation === 1 ? wire.callTool(parameters, undefined, options) : wire.callTool(parameters, options)),
  };
}

export function wireTimeout(timeoutMs: number): number {
  return Math.min(LONGEST_TIMER_MS, timeoutMs + 60_000);
}

/** True when the client says that it has no connection; a client that doesn't say counts as connected. */
export function isClosed(client: McpClient): boolean {
  return 'transport' in client && client.transport === undefined;
}

/** False when the server declared what it offers, and tools are not among it. */
export function offersTools(client: McpClient): boolean {
  const declared = client.getServerCapabilities?.();
  return typeof declared !== 'object' || declared === null || (declared as { readonly tools?: unknown }).tools !== undefined;
}

function labelOf(client: McpClient): string {
  const version = client.getServerVersion?.();
  const name = typeof version === 'object' && version !== null ? (version as { readonly name?: unknown }).name : undefined;
  return (typeof name === 'string' ? oneLine(name, LONGEST_LABEL) : '') || 'without a name';
}

/** Text of a server inside of a sentence: cleaned, on one line, short, without quotation marks that would end ours. */
export function oneLine(text: string, max: number): string {
  const flat = cleanText(text.slice(0, 4 * max)).replace(/\s+/g, ' ').replaceAll('"', "'").trim();
  return headTail(flat, { max, headShare: 1 }).replace(/\s+/g, ' ');
}
