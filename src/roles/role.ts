import type { RolePort } from '../contracts/bus.js';
import type { LLMClient, LLMReply, LLMRequest } from '../contracts/llm.js';
import type { RoleId } from '../contracts/names.js';
import type { Runtime, TaskRuntime } from '../contracts/runtime.js';
import { standaloneRuntime } from './standalone-runtime.js';

/** What every role may be given. Without a runtime it works alone: nothing is recorded, no budget binds. */
export interface RoleOptions { readonly runtime?: Runtime | undefined }
/** Of roles that ask a model. */
export interface ModelRoleOptions extends RoleOptions { readonly llm: LLMClient }

/** What the composition root needs of a role, whoever wrote it. */
export interface AttachableRole { attach(port: RolePort): unknown }

/** Common to all roles: one port, and what is known of each task kept in that task. */
export abstract class Role<State extends object = object> implements AttachableRole {
  abstract readonly id: RoleId;
  protected port!: RolePort;
  private readonly runtime: Runtime;

  constructor(options: RoleOptions = {}) {
    this.runtime = options.runtime ?? standaloneRuntime();
  }

  /** Connects the role. Returns itself. */
  attach(port: RolePort): this {
    this.port = port;
    this.listen(port);
    return this;
  }

  protected abstract listen(port: RolePort): void;
  protected abstract createState(): State;

  /** The task, unless it has ended. */
  protected task(taskId: string): TaskRuntime | undefined {
    return this.runtime.task(taskId);
  }

  protected stateOf(task: TaskRuntime): State {
    return task.state(this, () => this.createState());
  }

  /** One line for people, if anyone looks. */
  protected tell(taskId: string, text: string, subtaskId?: string): void {
    if (!this.port.listens('Progress')) return;
    this.port.publish({ type: 'Progress', taskId, payload: subtaskId === undefined ? { text } : { text, subtaskId } });
  }
}

/** Asks a model for text and leaves the reply as it is. */
export function ask(llm: LLMClient, task: TaskRuntime, request: LLMRequest): Promise<LLMReply> {
  return llm.complete(request, { signal: task.signal });
}
