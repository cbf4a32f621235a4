import { createBus } from './bus/create-bus.js';
import { ArtooError } from './contracts/errors.js';
import type { LLMClient } from './contracts/llm.js';
import type { DreamReport } from './contracts/memory.js';
import type { TaskRequest } from './contracts/messages.js';
import type { Envelope } from './contracts/envelope.js';
import type { RoleId } from './contracts/names.js';
import type { ApprovalDecision } from './contracts/people.js';
import type { Clock } from './contracts/runtime.js';
import type { Workspace } from './contracts/tool.js';
import { resolveHyperparameters, type HyperparameterOverrides } from './ggs/hyperparameters.js';

import { readAnswer } from './kernel/answers.js';
import { createBriefMemory } from './kernel/brief-memory.js';
import { distilWith } from './kernel/distil.js';
import { startDreaming } from './kernel/dreaming.js';
import { Engine } from './kernel/engine.js';
import { attachPeople } from './kernel/human-desk.js';
import { lazyWorkspace } from './kernel/lazy-workspace.js';
import { createMemoryLedger } from './kernel/memory-ledger.js';
import { recordedClient } from './kernel/model-calls.js';
import { randomIds } from './kernel/random-ids.js';
import { assertKnownOptions, readLimits } from './read-configuration.js';
import { defined, readRequest } from './read-request.js';
import { redactedLedger, redactEnvelope } from './kernel/redaction.js';
import { ReplayIndex } from './kernel/replay-index.js';
import { assertNotPoisoned, beginOf, recordedResult, type RecordedConfiguration } from './kernel/resume.js';
import { questionsOf, recordAnswer, refuseAnswer, type PendingTask } from './kernel/pending.js';
import { RunHandle, type Run } from './kernel/run.js';
import { ownedLedger } from './kernel/owned-ledger.js';
import { Turns } from './kernel/turns.js';
import { backgroundClock, systemClock } from './signals/system-clock.js';
import { DEFAULT_LIMITS, type TaskOptions } from './kernel/task-options.js';
import type { TaskScope } from './kernel/task-scope.js';
import { resolveModels } from './llm/models.js';
import { OPTION_NAMES, type ArtooOptions, type RunOptions } from './options.js';
import { lastResult } from './roles/goal-gradient-solver/last-result.js';
import { AbortHub } from './signals/abort-hub.js';
import { createRedactor } from './text/index.js';
import { ToolShelf } from './tools/tool-shelf.js';
import { VERSION } from './version.js';
import { wireRoles } from './wire-roles.js';

const SANDBOX_POLICIES: ReadonlySet<string> = new Set(['none', 'auto', 'required']);
const LONGEST_FLUSH_MS = 30_000;

/** What {@link createArtoo} returns. */
export interface Artoo {
  /** Starts a task: its words, or its words with everything else. Never throws: misuse rejects the run's promises. */
  run(task: string | RunOptions): Run;
  /** Goes on with a task that the ledger holds: nothing that is recorded is paid or done again. */
  resume(taskId: string): Run;
  /** Tasks of the ledger that have no result yet: running, interrupted, parked or damaged, with the questions they wait for. */
  pending(): Promise<readonly PendingTask[]>;
  /**
   * Answers a question, of a running task or of one that was parked by `later`, in this process or after a restart, and
   * resolves with the task's run once the answer is on record. Rejects with ARTOO_APPROVAL_UNKNOWN for a question that is
   * not open (the first answer counts), ARTOO_APPROVAL_EXPIRED, and what the ledger rejects with.
   *
   * @example
   * const [task] = await artoo.pending();
   * const run = await artoo.answer(task.questions[0].approvalId, 'allow');
   * console.log((await run.result).summary);
   */
  answer(approvalId: string, decision: ApprovalDecision, options?: { readonly reason?: string }): Promise<Run>;
  /**
   * One pass of the Dreamer now: forgets, takes back, makes rules. It runs by itself every five minutes over a memory
   * that was handed in. Rejects with ARTOO_MEMORY_INVALID for a memory that has no Dreamer, as the default one.
   */
  dream(): Promise<DreamReport>;
  /**
   * Takes no more tasks, gives the running ones `graceMs` (default 5,000) to end, lets the rest rest in the ledger
   * (their runs reject with ARTOO_CLOSED), stops the Dreamer and flushes memory. A memory that was handed in stays open,
   * and is not waited for beyond half a minute. Idempotent; rejects with what the flush rejects with.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Puts the roles on a bus and returns the way to give them tasks.
 *
 * Throws ARTOO_INVALID_CONFIG (no model for a role, R4b's model weaker than R2's), ARTOO_TOOL_INVALID, and
 * ARTOO_GGS_INVALID_HYPERPARAMETER.
 *
 * @example
 * import { createArtoo } from 'artoo';
 * const artoo = createArtoo({ models: { brain: client, tool: client }, tools });
 * const result = await artoo.run('How many TypeScript files are in src?').result;
 * console.log(result.directive, result.output);
 */
export function createArtoo(options: ArtooOptions): Artoo {
  if (typeof options !== 'object' || options === null) {
    throw new ArtooError('ARTOO_INVALID_CONFIG', 'createArtoo() needs options.', { hint: 'Call createArtoo({ models: { brain, tool } }).' });
  }
  assertKnownOptions(options, OPTION_NAMES);
  for (const hook of ['embed', 'reflect'] as const) {
    if (options[hook] !== undefined && typeof options[hook] !== 'function') throw new ArtooError('ARTOO_INVALID_CONFIG', `The option ${hook} must be a function.`, { hint: `Pass ${hook} as a function, or leave it out.` });
  }
  if (options.sandbox !== undefined && !SANDBOX_POLICIES.has(options.sandbox)) {
    throw new ArtooError('ARTOO_INVALID_CONFIG', `The option sandbox is ${JSON.stringify(options.sandbox)}.`, { hint: "Use 'none', 'auto' or 'required'." });
  }
  const clock = options.clock ?? systemClock;
  const ids = options.ids ?? randomIds;
  const redactor = createRedactor(options.redact);
  // What never leaves this process needs no masks, and resumes without them.
  const ledger = options.ledger ? ownedLedger(redactedLedger(options.ledger, redactor), options.ledger) : createMemoryLedger();
  const show = (envelope: Envelope): Envelope => redactEnvelope(redactor, envelope);
  const bus = options.bus ?? createBus();
  options.bus?.redactTaps?.(show);
  const memory = options.memory ?? createBriefMemory(() => clock.now());
  const shelf = new ToolShelf(options.tools ?? []);
  const models = resolveModels(options.models);
  const hyperparameters = defined(options.hyperparameters ?? {});
  resolveHyperparameters(hyperparameters);
  const limits = { ...DEFAULT_LIMITS, ...defined(readLimits(options.limits)) };
  const workspace = workspaceOf(options);

  const engine = new Engine({ bus, ledger, show, redactor: options.ledger && redactor, clock, prices: options.prices, onEvent: options.onEvent, stallMs: limits.stallMs, lastResult });
  const streaming = new WeakSet<TaskScope>();
  const client = (of: LLMClient): LLMClient => recordedClient(of, {
    clock, random: Math.random,
    task: (taskId) => engine.task(taskId),
    onBudget: (task, reason, message) => engine.stop(task.taskId, reason, message),
    onDelta: (task, request, text) => {
      if (streaming.has(task)) engine.port(request.role as RoleId).publish({ type: 'Delta', taskId: task.taskId, payload: { text, ...(request.subtaskId === undefined ? {} : { subtaskId: request.subtaskId }) } });
    },
    isStreaming: (task) => streaming.has(task),
  });
  wireRoles({ engine, bus, models, client, shelf, clock, memory, redactor, options });
  attachPeople(engine, clock, { confirm: options.confirm, clarify: options.clarify });
  const dreaming = startDreaming({
    memory, bus, clock, timer: options.memory && (options.clock ?? backgroundClock), onEvent: options.onEvent,
    distil: distilWith(models.dreamer, { clock, ids, timeoutMs: limits.callTimeoutMs }),
  });

  const signals = new AbortHub();
  const turns = new Turns();
  /** Asked for, and not opened yet. */
  const starting = new Map<string, RunHandle>();
  let closing: Promise<void> | undefined;
  const assertOpen = (): void => {
    if (closing) throw new ArtooError('ARTOO_CLOSED', 'This artoo is closed.', { hint: 'Create another one; unfinished tasks can be resumed there.' });
  };

  const handle = (taskId: string): RunHandle => new RunHandle(taskId, (reason) => engine.stop(taskId, 'aborted', reason), engine.audience);
  /** Opens a task; what was asked of its run before that, to abort or to close, is done now. */
  const open = (run: RunHandle, taskOptions: TaskOptions, replay?: ReplayIndex): TaskScope => {
    assertOpen();
    return engine.open(taskOptions, run, replay);
  };
  const start = (run: RunHandle, task: TaskScope): void => {
    engine.start(task);
    if (run.abortAsked !== undefined) engine.stop(run.taskId, 'aborted', run.abortAsked);
  };

  const begin = async (run: RunHandle, taskOptions: TaskOptions, run_: { readonly stream: boolean; readonly signal: AbortSignal | undefined }): Promise<void> => {
    try {
      await ledger.acquire?.(run.taskId);
      const task = open(run, taskOptions);
      if (run_.stream) streaming.add(task);
      const configuration: RecordedConfiguration = { limits: taskOptions.limits, hyperparameters: taskOptions.hyperparameters, stream: run_.stream };
      const kept = task.append({
        kind: 'task.begin', library: VERSION, request: taskOptions.request, date: taskOptions.date, nonce: taskOptions.nonce, configuration,
      }, true);
      if (kept) await kept;
      run.begun();
      if (run_.signal) engine.onEnd(run.taskId, signals.watch(run_.signal, () => engine.stop(run.taskId, 'aborted', abortText(run_.signal!))));
      start(run, task);
    } catch (error) {
      await giveBack(run, error);
    } finally {
      starting.delete(run.taskId);
    }
  };
  /** A run that could not be opened: nobody else must find its task locked. */
  const giveBack = async (run: RunHandle, error: unknown): Promise<void> => {
    if (!engine.task(run.taskId)) await ledger.release?.(run.taskId).catch(() => undefined);
    run.fail(asArtooError(error));
  };

  const artoo: Artoo = {
    run(asked) {
      const taskId = ids.next('task');
      const run = handle(taskId);
      try {
        assertOpen();
        const given: RunOptions = typeof asked === 'string' ? { input: asked } : asked;
        const names = shelf.namesFor(given?.tools);
        const request = readRequest(taskId, given, names);
        const own = given.hyperparameters ? defined(given.hyperparameters) : undefined;
        if (own) resolveHyperparameters(own);
        assertPriced(request, options, models);
        const taskOptions: TaskOptions = {
          request, budget: request.budget,
          limits: { ...limits, ...defined(request.limits) },
          hyperparameters: boundHyperparameters(hyperparameters, own, request),
          workspace: workspace ?? shelf.workspaceOf(names),
          date: new Date(clock.now()).toISOString(), nonce: ids.next('nonce'),
        };
        starting.set(taskId, run);
        // A turn later, so that whoever called can look at the run before anything happens.
        void Promise.resolve().then(() => begin(run, taskOptions, { stream: given.stream === true, signal: given.signal }));
      } catch (error) {
        run.fail(asArtooError(error));
      }
      return run;
    },
    resume(taskId) {
      const running = engine.runOf(taskId) ?? starting.get(taskId);
      if (running) return running;
      const run = handle(taskId);
      starting.set(taskId, run);
      void turns.take(taskId, () => resumeInto(run));
      return run;
    },
    async pending() {
      const tasks = (await ledger.list()).filter(({ status }) => status !== 'finished');
      return Promise.all(tasks.map(async (task) => ({ ...task, questions: await questionsOf(ledger, task) })));
    },
    async answer(approvalId, decision, options) {
      const reason = options?.reason;
      const taskId = readAnswer(approvalId, decision, reason);
      assertOpen();
      const answer = { decision, ...(reason === undefined ? {} : { reason }) };
      return turns.take(taskId, async () => {
        const task = engine.task(taskId);
        if (task) {
          const run = engine.runOf(taskId)!;
          return (await engine.answer(task, approvalId, answer)) ? run : refuseAnswer({ ledger, clock, taskId, approvalId });
        }
        await recordAnswer({ ledger, clock, taskId, approvalId, answer });
        const run = starting.get(taskId);
        if (run) return run;
        const resumed = handle(taskId);
        starting.set(taskId, resumed);
        await resumeInto(resumed);
        return resumed;
      });
    },
    async dream() {
      assertOpen();
      return dreaming.dream();
    },
    close(how = {}) {
      closing ??= (async () => {
        if (engine.size > 0) {
          let cancel = (): void => undefined;
          const grace = new Promise<void>((resolve) => { cancel = clock.setTimeout(resolve, how.graceMs ?? 5_000); });
          await Promise.race([engine.whenIdle(), grace]);
          cancel();
          engine.parkAll(new ArtooError('ARTOO_CLOSED', 'artoo was closed while this task ran.', { hint: 'resume(taskId) goes on with it.' }));
        }
        await patiently(clock, dreaming.close());
        await patiently(clock, options.bus ? bus.drain() : bus.close());
        try {
          await patiently(clock, memory.flush());
          if (!options.memory) await memory.close();
        } finally {
          if (!options.ledger) await ledger.close?.();
        }
      })();
      return closing;
    },
    [Symbol.asyncDispose]: () => artoo.close(),
  };

  const resumeInto = async (run: RunHandle): Promise<void> => {
    try {
      assertOpen();
      await resumeTask(run);
    } catch (error) {
      await giveBack(run, error);
    } finally {
      starting.delete(run.taskId);
    }
  };

  const resumeTask = async (run: RunHandle): Promise<void> => {
    const { taskId } = run;
    await ledger.acquire?.(taskId);
    const lines = await ledger.read(taskId);
    const done = recordedResult(lines);
    if (done) {
      await ledger.release?.(taskId);
      return run.end(done);
    }
    const first = beginOf(taskId, lines);
    assertNotPoisoned(taskId, lines);
    const request = first.request as TaskRequest;
    const { limits: recordedLimits, hyperparameters: recordedHyperparameters, stream } = first.configuration as RecordedConfiguration;
    const task = open(run, {
      request, budget: request.budget, limits: recordedLimits, hyperparameters: recordedHyperparameters,
      workspace: workspace ?? shelf.workspaceOf(request.tools), date: first.date, nonce: first.nonce,
    }, new ReplayIndex(lines));
    if (stream) streaming.add(task);
    const kept = task.append({ kind: 'task.resume', library: VERSION, afterLine: lines.length }, true);
    if (kept) await kept;
    run.begun();
    start(run, task);
  };

  if (options.resumeOnStart) {
    void artoo.pending().then((tasks) => {
      for (const { taskId, status } of tasks) if (status === 'running') artoo.resume(taskId);
    }, (error: unknown) => bus.report({ kind: 'dead_letter', reason: `resumeOnStart resumed nothing: ${error instanceof Error ? error.message : String(error)}`, envelope: undefined }));
  }
  return artoo;
}

/** Waits for a store or a subscriber, but not for ever: one that hangs must not keep its host from ending. */
async function patiently(clock: Clock, work: Promise<void>): Promise<void> {
  let cancel = (): void => undefined;
  const enough = new Promise<void>((resolve) => { cancel = clock.setTimeout(resolve, LONGEST_FLUSH_MS); });
  try {
    await Promise.race([work, enough]);
  } finally {
    cancel();
  }
}

/** What a run is bound by; its time budget is Ω's denominator. */
function boundHyperparameters(instance: HyperparameterOverrides, own: HyperparameterOverrides | undefined, request: TaskRequest): HyperparameterOverrides {
  const { timeMs } = request.budget;
  return timeMs === undefined && !own ? instance : { ...instance, ...own, ...(timeMs === undefined ? {} : { timeBudgetMs: timeMs }) };
}

function workspaceOf({ workspace }: ArtooOptions): Workspace | undefined {
  return typeof workspace === 'string' ? lazyWorkspace(workspace) : workspace;
}

/** A budget in money binds only where every model has a price. */
function assertPriced(request: TaskRequest, options: ArtooOptions, models: Readonly<Record<string, LLMClient>>): void {
  if (request.budget.money === undefined) return;
  const unpriced = [...new Set(Object.values(models).map(({ model }) => model))].filter((model) => !options.prices || !Object.hasOwn(options.prices, model));
  if (unpriced.length === 0) return;
  throw new ArtooError('ARTOO_INVALID_ARGUMENT', `A budget in money needs a price for ${unpriced.join(', ')}.`, {
    hint: "Pass prices: { 'model-name': { input, output } } to createArtoo, per million tokens.",
  });
}

function asArtooError(error: unknown): ArtooError {
  return ArtooError.is(error) ? error : new ArtooError('ARTOO_LEDGER_WRITE', 'The task could not be begun.', { cause: error });
}

function abortText(signal: AbortSignal): string {
  const reason: unknown = signal.reason;
  return `the host's signal aborted${reason instanceof Error && reason.name !== 'AbortError' ? `: ${reason.message}` : ''}`;
}
