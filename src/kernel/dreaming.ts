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
  const stamp = actionStamp(clock);
  const say = actionTeller(bus, stamp, onEvent);
  // Nobody waits for a pass on the timer: what it failed with is told to the bus's taps, with a pass that did nothing.
  const onError = (error: unknown): void => bus.report({ kind: 'handler_failed', envelope: stamp({ forgotten: [], demoted: [], promoted: [] }), error });
  let dreamer: Dreamer | undefined;
  const made = (): Dreamer | undefined => (dreamer ??= memory.createDreamer?.({ clock: timer ?? clock, distil, onAction: say, onError }));
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

type Stamp = (payload: DreamerAction) => Envelope<'DreamerAction'>;

/** The Dreamer belongs to no task, so no kernel numbers what it says. */
function actionStamp(clock: Clock): Stamp {
  let count = 0;
  return (payload) => {
    const at = clock.now();
    count += 1;
    return { v: MESSAGE_VERSION, id: `${DREAMER_TASK}/${at}/${count}`, type: 'DreamerAction', from: 'dreamer', to: 'R6', taskId: DREAMER_TASK, at, integrity: 'trusted', payload };
  };
}

/** Publishes through the Dreamer's own port; no kernel records what it says. */
function actionTeller(bus: Bus, stamp: Stamp, onEvent: ((envelope: Envelope) => unknown) | undefined): (action: DreamerAction) => void {
  const problem = (envelope: Envelope) => (error: unknown): void => bus.report({ kind: 'handler_failed', envelope, error });
  const port = rolePort(bus, 'dreamer', {
    stamp: (draft, from, to) => ({ ...stamp(draft.payload as DreamerAction), type: draft.type, taskId: draft.taskId, from, to }) as Envelope,
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
