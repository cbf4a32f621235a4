import * as z from 'zod/mini';
import { ArtooError } from '../../contracts/errors.js';
import type { McpClient, Wire } from './client.js';

const METHOD = 'notifications/tools/list_changed';
/** Older versions of the SDK look for `value`, newer ones for what zod 4 keeps inside. */
const notification = z.looseObject({ method: Object.assign(z.literal(METHOD), { value: METHOD }) });
/** Marks a client that tells us already: a client has room for one handler, but may be used for several sets of tools. */
const MARK: unique symbol = Symbol.for('artoo.mcp.listeners');

type Listener = () => void;
interface Mark { readonly listeners: Set<Listener>; installed: unknown; generation: Generation }
interface Marked { [MARK]?: Mark }

/** Version 1 of the SDK takes schemas where version 2 takes names. */
export type Generation = 1 | 2;
/** What listens, and how the client wants to be spoken to. */
export interface Listening { readonly generation: Generation; readonly stop: () => void }

/**
 * Calls back each time the server says that its tools changed. A handler that the host had set before is called as well;
 * one that it sets later takes our place, and changes go unnoticed until mcpTools is called again.
 */
export function onToolsChanged(client: McpClient, listener: Listener): Listening {
  const marked = client as Marked;
  const mark = marked[MARK] ?? { listeners: new Set<Listener>(), installed: undefined, generation: 1 };
  if (!marked[MARK] || handlersOf(client)?.get(METHOD) !== mark.installed) {
    mark.generation = install(client, mark.listeners);
    mark.installed = handlersOf(client)?.get(METHOD);
    if (!marked[MARK]) Object.defineProperty(client, MARK, { value: mark });
  }
  mark.listeners.add(listener);
  return { generation: mark.generation, stop: () => { mark.listeners.delete(listener); } };
}

/** Throws when the client takes no handler: changes would go unnoticed. */
function install(client: McpClient, listeners: ReadonlySet<Listener>): Generation {
  const wire = client as unknown as Wire;
  if (typeof wire.setNotificationHandler !== 'function') return 1;
  const before = hostHandler(client);
  const handler = (notice: unknown, ...rest: unknown[]): unknown => {
    for (const tell of [...listeners]) tell();
    return before?.(notice, ...rest);
  };
  const causes: unknown[] = [];
  for (const [generation, schema] of [[1, notification], [2, METHOD]] as const) {
    try {
      wire.setNotificationHandler(schema, handler);
      // A version that reads the schema otherwise keeps the handler under another name, in silence.
      if (handlersOf(client)?.has(METHOD) !== false) return generation;
    } catch (cause) {
      causes.push(cause);
    }
  }
  throw new ArtooError('ARTOO_INVALID_ARGUMENT', 'mcpTools: the client cannot be listened to, so that changes of tools would go unnoticed.', {
    ...(causes[0] === undefined ? {} : { cause: causes[0] }), hint: 'Use a Client of @modelcontextprotocol/sdk 1.23 or later.',
  });
}

/** The SDK has no way to ask for a handler, and replaces the host's in silence. Where its map isn't found, nothing is kept. */
function hostHandler(client: McpClient): ((notice: unknown, ...rest: unknown[]) => unknown) | undefined {
  const handler = handlersOf(client)?.get(METHOD);
  return typeof handler === 'function' ? handler as (notice: unknown, ...rest: unknown[]) => unknown : undefined;
}

function handlersOf(client: McpClient): ReadonlyMap<unknown, unknown> | undefined {
  const handlers = (client as { readonly _notificationHandlers?: unknown })._notificationHandlers;
  return handlers instanceof Map ? handlers : undefined;
}
