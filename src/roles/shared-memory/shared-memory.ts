import type { RolePort } from '../../contracts/bus.js';
import type { Envelope } from '../../contracts/envelope.js';
import type { MemoryStore } from '../../contracts/memory.js';
import type { MemoryReply } from '../../contracts/messages.js';
import { Role, type RoleOptions } from '../role.js';
import { recall } from './recall.js';

export interface SharedMemoryOptions extends RoleOptions {
  readonly memory: MemoryStore;
  /** Told when a memory could not be kept or asked; a run goes on without. */
  readonly onProblem?: ((error: unknown) => void) | undefined;
}

const NOTHING: MemoryReply = { sops: [], potentials: [], constraints: [] };

/**
 * R5: gives R2 what experience says about a task, and keeps what R7 and the Dreamer write.
 *
 * @example
 * import { createBus, rolePort } from 'artoo/bus';
 * import { SharedMemory } from 'artoo/roles';
 * const bus = createBus();
 * new SharedMemory({ memory }).attach(rolePort(bus, 'R5'));
 */
export class SharedMemory extends Role {
  readonly id = 'R5';

  constructor(private readonly options: SharedMemoryOptions) {
    super(options);
  }

  protected createState(): object {
    return {};
  }

  protected listen(port: RolePort): void {
    port.subscribe('MemoryQuery', (message) => this.answer(message));
    port.subscribe('MegramWrite', (message) => {
      try {
        this.options.memory.append(message.payload.megram);
      } catch (error) {
        this.options.onProblem?.(error);
      }
    });
  }

  /** Always answers: a planner without memory plans, a planner that waits does not. */
  private async answer(message: Envelope<'MemoryQuery'>): Promise<void> {
    const task = this.task(message.taskId);
    if (!task) return;
    const payload = await task.effect({ role: 'R5', kind: 'memory' }, message.payload, async () => {
      try {
        return await recall(this.options.memory, message.payload, Date.parse(task.date));
      } catch (error) {
        this.options.onProblem?.(error);
        return NOTHING;
      }
    });
    this.port.publish({ type: 'MemoryReply', taskId: task.taskId, causeId: message.id, payload });
  }
}
