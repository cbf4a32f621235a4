import type { FinalResult, SubTaskOutcome, TaskSpec } from '../../contracts/messages.js';
import type { Clock, TaskRuntime } from '../../contracts/runtime.js';
import { runWithTimeout } from '../../signals/index.js';

/** What a reflection is about: how the task ended, what its last round brought, and what was asked. Copies: change them freely. */
export interface ReflectInput { readonly result: FinalResult; readonly outcomes: readonly SubTaskOutcome[]; readonly spec: TaskSpec }
/** Writes the lesson of a task in words of its own; nothing, or nothing but blanks, leaves it to the coded one. */
export type Reflect = (input: ReflectInput) => Promise<string | undefined> | string | undefined;

/** The result waits this long for a reflection, in ms. */
export const REFLECT_MS = 15_000;
const LONGEST_REFLECTION = 4_000;

/**
 * Asks the host's hook for a lesson, once: the answer is on record, so that a resumed run does not ask again. Undefined
 * where it fails, takes too long, says nothing, or the task was stopped: memory then keeps the lesson that code made.
 */
export async function reflectOn(reflect: Reflect, input: ReflectInput, { task, clock }: { readonly task: TaskRuntime; readonly clock: Clock }): Promise<string | undefined> {
  try {
    const said = await task.effect<string | null>({ role: 'R7', kind: 'host' }, { reflect: input.spec.slug }, async () => {
      const text: unknown = await runWithTimeout({
        clock, ms: REFLECT_MS, signal: task.signal, run: async () => reflect(structuredClone(input)),
        onTimeout: () => new Error(`reflect() took longer than ${REFLECT_MS} ms`),
      });
      return typeof text === 'string' && text.trim() !== '' ? text.trim().slice(0, LONGEST_REFLECTION) : null;
    });
    return said ?? undefined;
  } catch {
    // A task whose record failed is parked by now and says nothing more; any other failure costs only the words.
    return undefined;
  }
}
