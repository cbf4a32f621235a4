import { rolePort } from '../bus/role-port.js';
import type { Bus } from '../contracts/bus.js';
import { MESSAGE_VERSION, type Envelope } from '../contracts/envelope.js';
import { ArtooError } from '../contracts/errors.js';
import type { Distil, Dreamer, DreamReport, MemoryStore } from '../contracts/memory.js';
import type { DreamerAction } from '../contracts/messages.js';
import type { Clock } from '../contracts/runtime.js';
import { DREAMER_TASK } from './distil.js';

export interface DreamingOptions {
  readonly memory: MemoryStore;
  readonly bus: Bus;
  /** Stamps what is said. */
  readonly clock: Clock;
  /** Runs the timer; undefined leaves the Dreamer to be run by hand. */
  readonly timer: Clock | undefined;
  readonly distil: Distil;
  readonly onEvent: ((envelope: Envelope) => unknown) | undefined;
}

/** The slow loop of one artoo. */
export interface Dreaming {
  dream(): Promise<DreamReport>;
  close(): Promise<void>;
}

/**
 * Runs the Dreamer that the store brings along, and says on the bus what it did. A store that brings none has nothing to
 * distil; its code comes with the store, so that an artoo without a memory does not carry it.
 */
export function startDreaming({ memory, bus, clock, timer, distil, onEvent }: DreamingOptions): Dreaming {
  const say = actionTeller(bus, clock, onEvent);
  let dreamer: Dreamer | undefined;
  const made = (): Dreamer | undefined => (dreamer ??= memory.createDreamer?.({ clock: timer ?? clock, distil, onAction: say }));
  if (timer) made()?.start();
  return {
    async dream() {
      const own = made();
      if (own) return own.dream();
      throw new ArtooError('ARTOO_MEMORY_INVALID', 'This memory has no Dreamer.', {
        hint: 'Pass memory: createMemory() or await openMemory({ path }) of artoo/memory, or give your store createDreamer.',
      });
    },
    async close() {
      await dreamer?.close();
    },
  };
}

/** Publishes through the Dreamer's own port. It belongs to no task, so no kernel numbers or records what it says. */
function actionTeller(bus: Bus, clock: Clock, onEvent: ((envelope: Envelope) => unknown) | undefined): (action: DreamerAction) => void {
  let count = 0;
  const problem = (envelope: Envelope) => (error: unknown): void => bus.report({ kind: 'handler_failed', envelope, error });
  const port = rolePort(bus, 'dreamer', {
    stamp(draft, from, to) {
      const at = clock.now();
      count += 1;
      return { v: MESSAGE_VERSION, id: `${draft.taskId}/${at}/${count}`, type: draft.type, from, to, taskId: draft.taskId, at, integrity: 'trusted', payload: draft.payload } as Envelope;
    },
    deliver: (envelope, _role, handle) => handle(envelope),
    published(envelope) {
      try {
        Promise.resolve(onEvent?.(envelope)).catch(problem(envelope));
      } catch (error) {
        problem(envelope)(error);
      }
    },
  });
  return (payload) => port.publish({ type: 'DreamerAction', taskId: DREAMER_TASK, payload });
}
