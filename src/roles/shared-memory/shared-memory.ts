import type { RolePort } from '../../contracts/bus.js';
import type { Envelope } from '../../contracts/envelope.js';
import { ArtooError } from '../../contracts/errors.js';
import type { Embed, MemoryStore } from '../../contracts/memory.js';
import type { MemoryReply, Megram } from '../../contracts/messages.js';
import type { Clock, TaskRuntime } from '../../contracts/runtime.js';
import { UNTRUSTED_DECAY } from '../../mkct/lesson.js';
import { runWithTimeScope } from '../../signals/index.js';
import { systemClock } from '../../signals/system-clock.js';
import type { Redactor } from '../../text/index.js';
import { Role, type RoleOptions } from '../role.js';
import { BoundedEmbed } from './bounded-embed.js';
import { checkedReply } from './checked-reply.js';
import { recall } from './recall.js';

export interface SharedMemoryOptions extends RoleOptions {
  readonly memory: MemoryStore;
  readonly clock?: Clock | undefined;
  /** Finds related tasks by meaning, where the store can. */
  readonly embed?: Embed | undefined;
  /** Masks secrets before anything is kept. */
  readonly redactor?: Redactor | undefined;
  /** How long a plan waits for memory, in ms; default 5,000. */
  readonly timeoutMs?: number | undefined;
  /** Told when a memory could not be kept or asked; a run goes on without. */
  readonly onProblem?: ((error: unknown, message: Envelope) => void) | undefined;
}

const NOTHING: MemoryReply = { sops: [], potentials: [], constraints: [] };
const TIMEOUT_MS = 5_000;
const LONGEST_REASON = 300;
/** Sources of one task's memories that are remembered, and those that whoever is asked about them is told. */
const MOST_SOURCES = 64;
const SOURCES_TOLD = 4;
/** Tasks whose sources stay known for a while after their end: their last entries arrive when they are over. */
const MOST_ENDED = 64;

/**
 * R5: gives R2 what experience says about a task, and keeps what R7 and the Dreamer write. A store that fails, hangs or
 * talks nonsense costs a plan its memory and nothing else; the reply's log says so.
 *
 * @example
 * import { createBus, rolePort } from 'artoo/bus';
 * import { SharedMemory } from 'artoo/roles';
 * const bus = createBus();
 * new SharedMemory({ memory }).attach(rolePort(bus, 'R5'));
 */
export class SharedMemory extends Role {
  readonly id = 'R5';
  private readonly clock: Clock;
  private readonly timeoutMs: number;
  private readonly embed: BoundedEmbed | undefined;
  /** Where the untrusted memories came from that a task was shown. */
  private readonly shown = new Map<string, Set<string>>();

  constructor(private readonly options: SharedMemoryOptions) {
    super(options);
    const { clock = systemClock, timeoutMs = TIMEOUT_MS, embed } = options;
    this.clock = clock;
    this.timeoutMs = timeoutMs;
    // Half the time: where meaning takes too long, there is some left to look up words.
    this.embed = embed && new BoundedEmbed(embed, clock, timeoutMs / 2);
  }

  protected createState(): object {
    return {};
  }

  protected listen(port: RolePort): void {
    port.subscribe('MemoryQuery', (message) => this.answer(message));
    port.subscribe('MegramWrite', (message) => this.keep(message));
  }

  /** Always answers: a planner without memory plans, a planner that waits does not. */
  private async answer(message: Envelope<'MemoryQuery'>): Promise<void> {
    const task = this.task(message.taskId);
    if (!task) return;
    const payload = await task.effect({ role: 'R5', kind: 'memory' }, message.payload, () => this.recall(task, message));
    if (payload.untrusted) this.noteInfluence(task, payload.influencedBy ?? []);
    this.port.publish({ type: 'MemoryReply', taskId: task.taskId, causeId: message.id, payload });
  }

  private async recall(task: TaskRuntime, message: Envelope<'MemoryQuery'>): Promise<MemoryReply> {
    const { memory } = this.options;
    const query = message.payload;
    const at = this.clock.now();
    try {
      return checkedReply(await runWithTimeScope<unknown>({
        clock: this.clock, ms: this.timeoutMs, signal: task.signal,
        run: (scope) => (memory.recall ? memory.recall({ ...query, at, embed: this.embed?.forOneQuestion(scope.signal) }) : recall(memory, query, at)),
        onTimeout: () => new ArtooError('ARTOO_MEMORY_INVALID', `The memory did not answer within ${this.timeoutMs} ms.`, { hint: 'Look at the store behind createArtoo({ memory }); runs go on without it.' }),
      }));
    } catch (error) {
      if (task.signal.aborted) throw error;
      this.options.onProblem?.(error, message);
      return { ...NOTHING, log: [`This plan was made without memory: ${(error instanceof Error ? error.message : String(error)).slice(0, LONGEST_REASON)}`] };
    }
  }

  /** Whoever is asked about it sees a few of the sources; what the run writes itself remembers them all. */
  private noteInfluence(task: TaskRuntime, sources: readonly string[]): void {
    const shown = this.shown.get(task.taskId) ?? new Set<string>();
    for (const source of sources) if (shown.size < MOST_SOURCES) shown.add(source);
    this.shown.set(task.taskId, shown);
    const ended = this.shown.size > MOST_ENDED ? [...this.shown.keys()].filter((taskId) => !this.task(taskId)) : [];
    for (const taskId of ended.slice(0, -MOST_ENDED)) this.shown.delete(taskId);
    for (const source of sources.slice(0, SOURCES_TOLD)) task.taint('R5', undefined, source);
    if (sources.length === 0 || sources.length > SOURCES_TOLD) task.taint('R5', undefined, 'memory');
  }

  private keep(message: Envelope<'MegramWrite'>): void {
    const { redactor } = this.options;
    const megram = redactor ? withoutSecrets(message.payload.megram, redactor) : message.payload.megram;
    try {
      this.options.memory.append(message.integrity === 'untrusted' ? withSources(asUntrusted(megram), this.shown.get(message.taskId)) : megram);
    } catch (error) {
      this.options.onProblem?.(error, message);
    }
  }
}

function withoutSecrets(megram: Megram, redactor: Redactor): Megram {
  const { content, entity, origin } = megram;
  const kept = { content, entity, origin };
  const masked = redactor.value(kept);
  return masked === kept ? megram : { ...megram, ...masked };
}

/** No writer can vouch for more than the kernel does. */
function asUntrusted(megram: Megram): Megram {
  if (megram.origin.integrity === 'untrusted') return megram;
  return { ...megram, k: megram.k * UNTRUSTED_DECAY, origin: { ...megram.origin, integrity: 'untrusted' } };
}

/** What a task was shown stands behind whatever it writes, also what the kernel's short list has no room for. */
function withSources(megram: Megram, shown: ReadonlySet<string> | undefined): Megram {
  if (!shown || shown.size === 0) return megram;
  const influencedBy = [...new Set([...(megram.origin.influencedBy ?? []), ...shown])].slice(0, MOST_SOURCES);
  return { ...megram, origin: { ...megram.origin, influencedBy } };
}
