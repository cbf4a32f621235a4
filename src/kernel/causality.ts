import type { Envelope } from '../contracts/envelope.js';
import type { Integrity, RoleId } from '../contracts/names.js';

/** The messages that one answers or builds on. */
export interface Causes { readonly causeId?: string | undefined; readonly after?: readonly string[] | undefined }

/** Where untrusted text came from; undefined where there is none. */
type Sources = readonly string[] | undefined;
interface Lane { depth: number; sources: Sources }
interface Message { readonly depth: number; readonly sources: Sources; readonly heardBy: RoleId[] }

/** Sources that are named; more would not help whoever is asked. */
const MOST_SOURCES = 12;
const UNNAMED: Sources = ['a message from outside'];

/**
 * Follows a run's causal tree: how many model calls stand one behind the other, and where untrusted text has come to.
 *
 * A role's lane takes on what it hears and hands it on in what it says. Executors and their validators have a lane
 * for each subtask; the dispatcher has none: what it releases depends only on what it names as causes, not on which
 * slot became free.
 */
export class Causality {
  /** Calls on the longest chain so far. */
  longest = 0;
  private readonly lanes = new Map<string, Lane>();
  private readonly messages = new Map<string, Message>();

  /** Notes that a role gets a message; false when it had it before. */
  heard(envelope: Envelope, role: RoleId, subtaskId: string | undefined): boolean {
    let message = this.messages.get(envelope.id);
    if (!message) this.messages.set(envelope.id, (message = { depth: 0, sources: envelope.integrity === 'untrusted' ? UNNAMED : undefined, heardBy: [] }));
    if (message.heardBy.includes(role)) return false;
    message.heardBy.push(role);
    const lane = this.lane(role, subtaskId);
    if (message.depth > lane.depth) lane.depth = message.depth;
    lane.sources = join(lane.sources, message.sources);
    return true;
  }

  called(role: RoleId, subtaskId: string | undefined): void {
    const lane = this.lane(role, subtaskId);
    lane.depth += 1;
    if (lane.depth > this.longest) this.longest = lane.depth;
  }

  taint(role: RoleId, subtaskId: string | undefined, source: string): void {
    const lane = this.lane(role, subtaskId);
    lane.sources = join(lane.sources, [source]);
  }

  influence(role: RoleId, subtaskId: string | undefined): Sources {
    return this.lane(role, subtaskId).sources;
  }

  /** Of what is said in passing: it is no cause of anything. */
  integrityOf(role: RoleId, subtaskId: string | undefined): Integrity {
    return this.influence(role, subtaskId) ? 'untrusted' : 'trusted';
  }

  /** Notes a message that is about to go out and returns the integrity it has. */
  said(id: string, role: RoleId, subtaskId: string | undefined, causes: Causes): Integrity {
    let depth = 0;
    let sources: Sources;
    if (role !== 'dispatcher') {
      const lane = this.lane(role, subtaskId);
      depth = lane.depth;
      sources = lane.sources;
    }
    const consider = (cause: string): void => {
      const message = this.messages.get(cause);
      if (!message) return;
      if (message.depth > depth) depth = message.depth;
      sources = join(sources, message.sources);
    };
    if (causes.causeId !== undefined) consider(causes.causeId);
    causes.after?.forEach(consider);
    this.messages.set(id, { depth, sources, heardBy: [] });
    return sources ? 'untrusted' : 'trusted';
  }

  private lane(role: RoleId, subtaskId: string | undefined): Lane {
    const key = (role === 'R3' || role === 'R4a') && subtaskId !== undefined ? role + subtaskId : role;
    let lane = this.lanes.get(key);
    if (!lane) this.lanes.set(key, (lane = { depth: 0, sources: undefined }));
    return lane;
  }
}

/** A label never gets better: what either had stays. */
function join(a: Sources, b: Sources): Sources {
  if (!a || !b) return a ?? b;
  const added = b.filter((source) => !a.includes(source));
  return added.length === 0 || a.length >= MOST_SOURCES ? a : [...a, ...added].slice(0, MOST_SOURCES);
}
