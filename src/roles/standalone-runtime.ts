import { ArtooError } from '../contracts/errors.js';
import type { ActResult, Runtime, TaskRuntime } from '../contracts/runtime.js';

const LIMITS = Object.freeze({
  parallel: 8, subtasks: 16, toolCalls: 20, maxRetries: 2, callTimeoutMs: 300_000, callRetries: 3, stallMs: 120_000, approvalMs: 604_800_000,
});

/** A runtime for a role on its own, as in a unit test: effects happen, nothing is recorded, nothing is aborted. */
export function standaloneRuntime(options: { readonly now?: () => number } = {}): Runtime {
  const tasks = new Map<string, TaskRuntime>();
  const now = options.now ?? Date.now;
  const create = (taskId: string): TaskRuntime => {
    const states = new Map<object, unknown>();
    const startedAt = now();
    let intents = 0;
    const sources = new Map<string, string[]>();
    return {
      taskId, signal: new AbortController().signal, date: new Date(startedAt).toISOString(), nonce: taskId, limits: LIMITS,
      hyperparameters: {}, workspace: undefined, tools: undefined, trustedTexts: [],
      elapsedMs: () => now() - startedAt,
      effect: async (_lane, _request, live) => live(),
      act: async <T>(_lane: unknown, _intent: unknown, live: (intentId: string) => Promise<T>): Promise<ActResult<T>> =>
        ({ state: 'done', value: await live(`${taskId}/${intents++}`) }),
      during: (work) => work(),
      waitForHuman: (wait) => wait(),
      question: async (_question, put, wait) => {
        if (!put) return undefined;
        const answered = wait();
        put(now() + LIMITS.approvalMs);
        let reply = await answered;
        while (reply.decision === 'later') reply = await wait();
        return reply;
      },
      taint: (role, subtaskId, source = 'a tool') => {
        const lane = `${role} ${subtaskId ?? ''}`;
        sources.set(lane, [...(sources.get(lane) ?? []), source]);
      },
      influence: (role, subtaskId) => sources.get(`${role} ${subtaskId ?? ''}`),
      record: () => undefined,
      canCall: () => true,
      state<S>(owner: object, make: () => S): S {
        let state = states.get(owner) as S | undefined;
        if (state === undefined) states.set(owner, (state = make()));
        return state;
      },
    };
  };
  return {
    task(taskId) {
      if (taskId === '') throw new ArtooError('ARTOO_INVALID_ARGUMENT', 'A task needs an id.');
      let task = tasks.get(taskId);
      if (!task) tasks.set(taskId, (task = create(taskId)));
      return task;
    },
  };
}
