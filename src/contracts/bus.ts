import type { Envelope, MessageType, Payload, Recipient } from './envelope.js';
import type { RoleId } from './names.js';

/** What a subscription or a tap wants to see; an absent field means any. */
export interface BusFilter {
  readonly type?: MessageType | readonly MessageType[];
  /** Messages addressed to this role (also to `all`). */
  readonly to?: RoleId;
  readonly from?: RoleId;
  readonly taskId?: string;
}

/** Something the bus noticed: for the Auditor and for operators. */
export type BusReport =
  | { readonly kind: 'handler_failed'; readonly envelope: Envelope; readonly error: unknown }
  /** A handler kept the event loop to itself for so long; `subscriber` says which one it is. */
  | { readonly kind: 'handler_blocked'; readonly envelope: Envelope; readonly subscriber: string; readonly ms: number }
  | { readonly kind: 'boundary_violation'; readonly role: RoleId; readonly type: string; readonly taskId: string; readonly message: string }
  | { readonly kind: 'dead_letter'; readonly reason: string; readonly envelope: unknown }
  | { readonly kind: 'dropped'; readonly count: number };

export interface BusObserver {
  /** Gets every envelope. May be slow or throw: its queue is bounded, drops the oldest and counts. */
  message(envelope: Envelope): void | Promise<void>;
  report?(report: BusReport): void;
}

export interface BusTap { readonly dropped: number; close(): void }

/**
 * The way between roles.
 *
 * `publish` never blocks and never throws because of a subscriber. Handlers of one subscriber start in the order of
 * publication; nobody waits for a handler to finish. A handler that throws or rejects harms nobody and is reported.
 * Subscriptions are lossless; taps drop the oldest and count. A message that is no valid envelope of this version is a
 * dead letter: reported with the reason, delivered to nobody.
 */
export interface Bus {
  publish(envelope: Envelope): void;
  /** Returns the function that ends the subscription. Messages published before it ended are not delivered after. */
  subscribe<T extends MessageType>(filter: BusFilter & { readonly type: T }, handler: (envelope: Envelope<T>) => unknown): () => void;
  subscribe(filter: BusFilter, handler: (envelope: Envelope) => unknown): () => void;
  tap(observer: BusObserver | BusObserver['message'], options?: { readonly limit?: number }): BusTap;
  /** Tells taps what was noticed outside of the bus itself, e.g. a message that a role port refused. */
  report(report: BusReport): void;
  /** From now on taps see what this makes of each message, after what was set before. Absent: the bus hands on what it gets. */
  redactTaps?(show: (envelope: Envelope) => Envelope): void;
  /** Is anyone subscribed to this type (for this role)? Absent on buses that can't know. */
  listens?(type: MessageType, to?: RoleId): boolean;
  /** Resolves when everything published so far was delivered and its handlers have settled. */
  drain(): Promise<void>;
  /** Drains, then refuses further messages. Idempotent. */
  close(): Promise<void>;
}

/** What a role hands to its port; the port adds who, where and when. */
export interface Draft<T extends MessageType = MessageType> {
  readonly type: T;
  readonly taskId: string;
  readonly payload: Payload<T>;
  /** Defaults to every recipient that the role's contract names for this type. */
  readonly to?: Recipient;
  readonly causeId?: string;
  /** Further messages that went into this one. */
  readonly after?: readonly string[];
  /** The lane of the message: a subtask id, where there is one. */
  readonly subtaskId?: string;
}

/** A role's only connection: it can publish what the role produces and hear what it receives. */
export interface RolePort {
  readonly role: RoleId;
  /** Throws ARTOO_BOUNDARY for a message that the role may not send. Does nothing once the task is closed. */
  publish<T extends MessageType>(draft: Draft<T>): void;
  /** A handler that throws or rejects is published as a RoleFailure. */
  subscribe<T extends MessageType>(type: T, handler: (envelope: Envelope<T>) => unknown): () => void;
  /** True unless it is known that nobody is subscribed to this type. */
  listens(type: MessageType): boolean;
}
