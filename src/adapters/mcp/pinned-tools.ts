import { runWithTimeout } from '../../signals/index.js';
import { ToolError } from '../../tools/tool-error.js';
import type { ArtooError } from '../../contracts/errors.js';
import type { Clock } from '../../contracts/runtime.js';
import { isClosed, type McpServer } from './client.js';
import { shownName, type ServerTool, type Unusable } from './definition.js';
import { describeDifferences } from './differences.js';
import { toFailure } from './failures.js';
import type { Listing } from './list-tools.js';
import type { McpChange } from './options.js';

/** Lists read on the server's word alone, since the last call of a tool: a server can't keep us busy for ever. */
const MOST_UNASKED = 20;

/** What a tool was when the host took it in, and what became of it. */
export interface Pin {
  readonly name: string;
  readonly pinned: ServerTool;
  /** As the server last described it; undefined: gone. */
  current: ServerTool | Unusable | undefined;
  /** Of the last description known. */
  version: string;
  /** What changed since it was pinned; once set it stays, whatever the server says later. */
  changed: string | undefined;
}

export interface PinnedToolsServices {
  readonly server: McpServer;
  readonly clock: Clock;
  readonly list: () => Promise<Listing>;
  readonly isWanted: (original: string) => boolean;
  readonly report: (change: McpChange) => void;
  /** Aborts when the host gave the tools up. */
  readonly signal: AbortSignal;
}

/** The tools of one server as they were when the host took them in. Notices what the server changes afterwards. */
export class PinnedTools {
  private readonly pins = new Map<string, Pin>();
  /** Names that were reported, or left out on purpose. */
  private readonly known = new Set<string>();
  private notices = 0;
  private listedAt = 0;
  private unasked = 0;
  private reading: Promise<void> | undefined;
  private taken = false;
  private transport: unknown;

  constructor(private readonly services: PinnedToolsServices) {
    this.transport = services.server.client.transport;
  }

  /** All tools are pinned; from now on notices are followed. */
  complete(): void {
    this.taken = true;
  }

  pin(name: string, pinned: ServerTool): Pin {
    const pin: Pin = { name, pinned, current: pinned, version: pinned.version, changed: undefined };
    this.pins.set(pinned.original, pin);
    return pin;
  }

  leaveOut(original: string): void {
    this.known.add(original);
  }

  /** The server says that its list changed. Never throws; what goes wrong shows at the next call. */
  notice(): void {
    this.notices += 1;
    if (!this.taken || this.reading || this.unasked >= MOST_UNASKED) return;
    this.unasked += 1;
    this.read().catch(() => undefined);
  }

  /**
   * Resolves when what is known of the tools is no older than the last notice; with `again`, no older than now. Rejects when
   * the server can't be reached or doesn't answer: what can't be checked isn't called.
   */
  async upToDate(signal: AbortSignal, again = false): Promise<void> {
    const { server, clock } = this.services;
    if (this.services.signal.aborted) {
      throw ToolError.environmental(`The tools of the MCP server "${server.label}" are no longer in use: the signal given to mcpTools has aborted.`, { hint: 'Call mcpTools again with a signal that lives as long as the tools.' });
    }
    if (isClosed(server.client)) throw toFailure(new Error('Not connected'), { server: server.label, what: 'The call' });
    this.unasked = 0;
    // A client that was connected anew may speak to another server, or to a newer one.
    const { transport } = server.client;
    if (again || transport !== this.transport) this.notices += 1;
    this.transport = transport;
    // A list whose reading began before the last notice is read once more. A server that sends a notice with each list gets no third turn.
    for (let turn = 0; turn < 2 && this.listedAt !== this.notices; turn += 1) {
      const reading = this.reading ?? this.read();
      await runWithTimeout({ clock, signal, ms: Infinity, run: () => reading, onTimeout: () => new Error('unreachable') });
    }
  }

  /** Throws when the server has the tool no longer. */
  mustExist({ current, pinned }: Pin): void {
    if (current) return;
    throw ToolError.environmental(`The MCP server "${this.services.server.label}" no longer has the tool "${shownName(pinned.original)}".`, { hint: 'Use another tool; the host can call mcpTools again to take in what the server has now.' });
  }

  /** Refuses a call that was judged by an older description. */
  changedMeanwhile({ pinned, changed }: Pin): ArtooError {
    return ToolError.environmental(`The tool "${shownName(pinned.original)}" of the MCP server "${this.services.server.label}" changed just now and was not called. ${changed ?? ''}`.trim(), { hint: 'Call it again if it still fits: the call is then judged by what the tool is now.' });
  }

  private read(): Promise<void> {
    const seen = this.notices;
    const reading = this.services.list().then(
      (listing) => {
        this.reading = undefined;
        this.take(listing);
        this.listedAt = seen;
      },
      (error: unknown) => {
        this.reading = undefined;
        throw error;
      },
    );
    this.reading = reading;
    return reading;
  }

  private take({ tools }: Listing): void {
    const listed = new Map<string, ServerTool | Unusable>();
    for (const tool of tools) if (!listed.has(tool.original)) listed.set(tool.original, tool);
    for (const pin of this.pins.values()) this.compare(pin, listed.get(pin.pinned.original));
    for (const [original, tool] of listed) {
      if (this.pins.has(original) || this.known.has(original) || !this.services.isWanted(original)) continue;
      this.known.add(original);
      const why = 'unusable' in tool ? ` No tool could be made of it: ${tool.unusable}.` : '';
      this.services.report({ kind: 'added', tool: shownName(original), message: `The MCP server "${this.services.server.label}" has a new tool "${shownName(original)}".${why} Call mcpTools again to take it in.` });
    }
  }

  private compare(pin: Pin, now: ServerTool | Unusable | undefined): void {
    const { report, server } = this.services;
    const { current: before, pinned, name } = pin;
    const tool = shownName(pinned.original);
    pin.current = now;
    if (!now) {
      if (before) report({ kind: 'vanished', tool, name, message: `The MCP server "${server.label}" no longer has the tool "${tool}".` });
      return;
    }
    if (!before) report({ kind: 'returned', tool, name, message: `The MCP server "${server.label}" has the tool "${tool}" again.` });
    if (now.version === pin.version) return;
    pin.version = now.version;
    pin.changed = describeDifferences(pinned, now);
    report({ kind: 'changed', tool, name, message: `The tool "${tool}" of the MCP server "${server.label}" changed.\n${pin.changed}` });
  }
}
