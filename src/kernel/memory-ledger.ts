import { ArtooError } from '../contracts/errors.js';
import type { Ledger, LedgerEvent, LedgerLine, LedgerTask } from '../contracts/ledger.js';

/** Options of {@link createMemoryLedger}. */
export interface MemoryLedgerOptions {
  /** Of how many finished tasks, newest first, the lines stay readable; default 32. */
  readonly keepFinished?: number;
}

interface TaskRecord { readonly events: LedgerEvent[]; status: LedgerTask['status']; reason: string | undefined }

/** How many ids of dropped tasks are remembered, so that a line that comes late does not start a task anew. */
const REMEMBERED_IDS = 1_024;

/**
 * The record of tasks in RAM: the default. Keeps references to the frozen events, serialises nothing, and is gone with
 * the process. A finished task is dropped once `keepFinished` newer ones have finished, so the heap stays flat; a line
 * that comes for a dropped task is dropped too.
 *
 * @example
 * import { createArtoo } from 'artoo';
 * import { createMemoryLedger } from 'artoo/ledger';
 * const artoo = createArtoo({ models, tools, ledger: createMemoryLedger({ keepFinished: 100 }) });
 */
export function createMemoryLedger(options: MemoryLedgerOptions = {}): Ledger {
  const keepFinished = options.keepFinished ?? 32;
  if (!(keepFinished >= 0)) {
    throw new ArtooError('ARTOO_INVALID_ARGUMENT', `keepFinished is ${String(keepFinished)}.`, { hint: 'Give a count of 0 or more.' });
  }
  const tasks = new Map<string, TaskRecord>();
  /** In order of finishing. */
  const finished = new Set<string>();
  const dropped = new Set<string>();

  function begin(event: LedgerEvent): TaskRecord | undefined {
    if (dropped.size > 0 && dropped.has(event.taskId)) {
      if (event.kind !== 'task.begin' && event.kind !== 'task.resume') return undefined;
      dropped.delete(event.taskId);
    }
    const record: TaskRecord = { events: [], status: 'running', reason: undefined };
    tasks.set(event.taskId, record);
    return record;
  }

  function changeStatus(record: TaskRecord, event: LedgerEvent): void {
    if (event.kind === 'task.parked') {
      record.status = 'parked';
      record.reason = `${event.code}: ${event.message}`;
    } else if (event.kind === 'task.end') {
      record.status = 'finished';
      record.reason = undefined;
      finished.add(event.taskId);
      dropOldest();
    } else {
      record.status = 'running';
      record.reason = undefined;
      finished.delete(event.taskId);
    }
  }

  function dropOldest(): void {
    for (const taskId of finished) {
      if (finished.size <= keepFinished) break;
      finished.delete(taskId);
      // Emptied as well: tables that a Map has outgrown keep what they held alive until the next full collection.
      const record = tasks.get(taskId);
      if (record) record.events.length = 0;
      tasks.delete(taskId);
      dropped.add(taskId);
    }
    for (const taskId of dropped) {
      if (dropped.size <= REMEMBERED_IDS) break;
      dropped.delete(taskId);
    }
  }

  return {
    append(event) {
      const record = tasks.get(event.taskId) ?? begin(event);
      if (record === undefined) return;
      record.events.push(event);
      switch (event.kind) {
        case 'task.end':
        case 'task.parked':
        case 'task.resume':
          changeStatus(record, event);
      }
    },
    read(taskId) {
      const record = tasks.get(taskId);
      if (record) return Promise.resolve(record.events.map((event, index): LedgerLine => Object.freeze({ ...event, line: index + 1 })));
      return Promise.reject(new ArtooError('ARTOO_LEDGER_NOT_FOUND', `No record of task ${JSON.stringify(taskId.slice(0, 200))}.`, {
        hint: 'A ledger in RAM forgets old finished tasks and all of them with the process; use a file ledger to keep them.',
      }));
    },
    list() {
      return Promise.resolve([...tasks].map(([taskId, record]) => summary(taskId, record)));
    },
  };
}

function summary(taskId: string, { events, status, reason }: TaskRecord): LedgerTask {
  return Object.freeze({
    taskId,
    status,
    lines: events.length,
    startedAt: events[0]?.at ?? 0,
    updatedAt: events.at(-1)?.at ?? 0,
    ...(reason === undefined ? {} : { reason }),
  });
}
