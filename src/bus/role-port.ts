import * as z from 'zod/mini';
import type { Bus, Draft, RolePort } from '../contracts/bus.js';
import { MESSAGE_VERSION, payloadSchemas, type Envelope, type MessageType, type Recipient } from '../contracts/envelope.js';
import { ArtooError } from '../contracts/errors.js';
import { describeIssues } from '../text/describe-issues.js';
import type { RoleId } from '../contracts/names.js';
import { refuseToHear, refuseToSend, routesOf } from '../contracts/role-routes.js';

/** What the kernel does at each port. Without it a port stamps by itself, which is enough to try a role alone. */
export interface PortHooks {
  /** Makes the envelope; undefined when the task is closed and nothing more may be said. */
  stamp(draft: Draft, from: RoleId, to: Recipient): Envelope | undefined;
  /** Wraps a delivery: tells duplicates and closed tasks by not calling `handle`. */
  deliver(envelope: Envelope, role: RoleId, handle: (envelope: Envelope) => unknown): unknown;
  /** A handler threw or rejected. Default: publish a RoleFailure. */
  failed?(envelope: Envelope, role: RoleId, error: unknown): void;
  /** A message is on its way: the bus has it. */
  published?(envelope: Envelope): void;
  /** Does anyone want messages of this type? Undefined leaves the answer to the bus. */
  wants?(type: MessageType): boolean | undefined;
  /** Check payloads on their way out: for roles that the host wrote. */
  readonly validate?: boolean;
}

/**
 * The only connection of a role: publishes what its contract lets it produce, hears what it receives.
 *
 * @example
 * import { createBus, rolePort } from 'artoo/bus';
 * import { Planner } from 'artoo/roles';
 * const bus = createBus();
 * new Planner({ llm }).attach(rolePort(bus, 'R2'));
 */
export function rolePort(bus: Bus, role: RoleId, hooks: PortHooks = standalone()): RolePort {
  const boundary = (type: string, taskId: string, message: string): ArtooError => {
    bus.report({ kind: 'boundary_violation', role, type, taskId, message });
    return new ArtooError('ARTOO_BOUNDARY', message, {
      hint: `docs/roles.md lists what ${role} may send and receive.`, details: { role, type },
    });
  };

  const { produces, receives } = routesOf(role);
  const port: RolePort = {
    role,
    publish(draft) {
      const to = draft.to ?? defaultRecipient(produces[draft.type]);
      if (draft.to !== undefined || !produces[draft.type]) {
        for (const recipient of typeof to === 'string' ? [to] : to) {
          const refusal = refuseToSend(role, draft.type, recipient);
          if (refusal) throw boundary(draft.type, draft.taskId, refusal);
        }
      }
      if (hooks.validate) assertPayload(draft);
      const envelope = hooks.stamp(draft as Draft, role, to);
      if (!envelope) return;
      bus.publish(envelope);
      hooks.published?.(envelope);
    },
    subscribe(type, handler) {
      const refusal = refuseToHear(role, type);
      if (refusal) throw boundary(type, '', refusal);
      const guarded = (envelope: Envelope): unknown => {
        const forged = receives[envelope.type]?.includes(envelope.from) ? undefined : refuseToHear(role, envelope.type, envelope.from);
        if (forged) return bus.report({ kind: 'boundary_violation', role: envelope.from, type, taskId: envelope.taskId, message: forged });
        return hooks.deliver(envelope, role, (checked) => settle(checked, handler as (envelope: Envelope) => unknown));
      };
      return bus.subscribe({ type: type as MessageType, to: role }, guarded);
    },
    listens: (type) => {
      const wanted = hooks.wants?.(type);
      if (wanted !== undefined) return wanted;
      if (!bus.listens) return true;
      const recipients = produces[type] ?? [];
      return recipients.some((to) => bus.listens?.(type, to === 'all' ? undefined : to));
    },
  };

  const settle = (envelope: Envelope, handler: (envelope: Envelope) => unknown): unknown => {
    const failed = (error: unknown): void => {
      if (hooks.failed) return hooks.failed(envelope, role, error);
      if (refuseToSend(role, 'RoleFailure') || envelope.type === 'RoleFailure') return bus.report({ kind: 'handler_failed', envelope, error });
      port.publish({ type: 'RoleFailure', taskId: envelope.taskId, causeId: envelope.id, payload: roleFailure(role, envelope.type, error) });
    };
    try {
      const result = handler(envelope);
      return result instanceof Promise ? result.catch(failed) : result;
    } catch (error) {
      return failed(error);
    }
  };
  return port;
}

/** The payload that says that a role could not do its step. */
export function roleFailure(role: RoleId, stage: string, error: unknown): { role: RoleId; stage: string; code: string; message: string } {
  const message = error instanceof Error ? error.message : String(error);
  return { role, stage, code: ArtooError.is(error) ? error.code : 'ARTOO_ROLE_FAILED', message };
}

function defaultRecipient(recipients: readonly (RoleId | 'all')[] | undefined): Recipient {
  if (!recipients || recipients.length === 0) return 'all';
  return recipients.length === 1 ? recipients[0]! : (recipients as readonly RoleId[]);
}

function assertPayload(draft: Draft): void {
  const parsed = z.safeParse(payloadSchemas[draft.type] as z.ZodMiniType, draft.payload);
  if (parsed.success) return;
  throw new ArtooError('ARTOO_MESSAGE_INVALID', `${draft.type} is not as its schema says: ${describeIssues(parsed.error.issues)}`, {
    hint: 'artoo/contracts has the schema of each message.', cause: parsed.error,
  });
}

/** Stamps without a kernel: ids count, time is the host's, nothing is recorded, every message is heard once. */
function standalone(): PortHooks {
  let count = 0;
  const seen = new Set<string>();
  return {
    stamp(draft, from, to) {
      count += 1;
      return {
        v: MESSAGE_VERSION, id: `${draft.taskId}/${from}/${draft.type}/${count}`, type: draft.type, from, to,
        taskId: draft.taskId, at: Date.now(), ...(draft.causeId === undefined ? {} : { causeId: draft.causeId }),
        integrity: 'trusted', payload: draft.payload,
      } as Envelope;
    },
    deliver(envelope, role, handle) {
      const key = `${role} ${envelope.id} ${envelope.taskId}`;
      if (seen.has(key)) return undefined;
      if (seen.size > 10_000) seen.clear();
      seen.add(key);
      return handle(envelope);
    },
  };
}
