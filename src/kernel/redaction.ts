import type { Envelope } from '../contracts/envelope.js';
import { ArtooError } from '../contracts/errors.js';
import type { Ledger, LedgerEvent, LedgerLine } from '../contracts/ledger.js';
import { isMasked, type Redactor } from '../text/index.js';

/** What says where a line or a message belongs. It comes from the runtime, and the record can't be followed without it. */
const STRUCTURE: ReadonlySet<string> = new Set(['v', 'id', 'type', 'from', 'to', 'kind', 'taskId', 'subtaskId', 'at', 'seq', 'causeId', 'elapsedMs', 'address', 'approvalId', 'fingerprint', 'nonce', 'date', 'library', 'integrity']);
/** Of a task's request also the names of its tools: a resumed run reads it back and goes on under them. */
const REQUEST: ReadonlySet<string> = new Set([...STRUCTURE, 'tools']);
const BEGIN: ReadonlySet<string> = new Set([...STRUCTURE, 'request']);

/** The message with the secrets of its content masked; itself where there are none. */
export function redactEnvelope<T extends Envelope>(redactor: Redactor, envelope: T): T {
  const payload = redactContent(redactor, envelope.payload as Readonly<Record<string, unknown>>);
  return payload === envelope.payload ? envelope : { ...envelope, payload };
}

/** A ledger that gets no secrets. What reads it back goes on with masks in their place. */
export function redactedLedger(ledger: Ledger, redactor: Redactor): Ledger {
  const { acquire, release, close } = ledger;
  return {
    append: (event, options) => ledger.append(redactEvent(redactor, event), options),
    read: (taskId): Promise<readonly LedgerLine[]> => ledger.read(taskId),
    list: () => ledger.list(),
    ...(acquire && { acquire: (taskId) => acquire.call(ledger, taskId) }),
    ...(release && { release: (taskId) => release.call(ledger, taskId) }),
    ...(close && { close: () => close.call(ledger) }),
  };
}

/** Does a value from a record hold a mask where a secret stood? */
export function holdsMask(value: unknown): boolean {
  return isMasked(JSON.stringify(value ?? null));
}

/** What the record holds in the place of a secret must never be acted with as if it were the secret. */
export function maskedCall(call: string): ArtooError {
  return new ArtooError('ARTOO_LEDGER_REDACTED', `${call} would be made with a mask in the place of a secret.`, {
    hint: 'The record keeps no secrets, so this task can\'t be taken up from here: start it anew.',
  });
}

function redactEvent(redactor: Redactor, event: LedgerEvent): LedgerEvent {
  if (event.kind === 'task.begin') {
    const request = redactContent(redactor, event.request as Readonly<Record<string, unknown>>, REQUEST);
    const masked = redactContent(redactor, event, BEGIN);
    return request === event.request ? masked : { ...masked, request };
  }
  if (event.kind !== 'message') return redactContent(redactor, event);
  const envelope = redactEnvelope(redactor, event.envelope);
  return envelope === event.envelope ? event : { ...event, envelope };
}

function redactContent<T extends object>(redactor: Redactor, value: T, keep: ReadonlySet<string> = STRUCTURE): T {
  let copy: Record<string, unknown> | undefined;
  for (const [key, item] of Object.entries(value)) {
    if (item === null || typeof item === 'number' || typeof item === 'boolean' || keep.has(key)) continue;
    // The key goes along: the name of a field may be all that tells a secret.
    const masked = redactor.value({ [key]: item as unknown })[key];
    if (masked === item) continue;
    copy ??= { ...(value as Record<string, unknown>) };
    copy[key] = masked;
  }
  return (copy as T | undefined) ?? value;
}
