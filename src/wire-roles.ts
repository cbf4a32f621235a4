import type { Bus } from './contracts/bus.js';
import type { LLMClient } from './contracts/llm.js';
import type { MemoryStore } from './contracts/memory.js';
import type { RoleId } from './contracts/names.js';
import type { Clock } from './contracts/runtime.js';
import type { Engine } from './kernel/engine.js';
import type { ModelRole } from './llm/models.js';
import type { ArtooOptions, RoleClasses } from './options.js';
import { AgentValidator } from './roles/agent-validator/agent-validator.js';
import { Dispatcher } from './roles/dispatcher/dispatcher.js';
import { Executor } from './roles/executor/executor.js';
import { GoalGradientSolver } from './roles/goal-gradient-solver/goal-gradient-solver.js';
import { MetaValidator } from './roles/meta-validator/meta-validator.js';
import { Perceiver } from './roles/perceiver/perceiver.js';
import { Planner } from './roles/planner/planner.js';
import type { AttachableRole } from './roles/role.js';
import { SharedMemory } from './roles/shared-memory/shared-memory.js';
import { createRedactor, type Redactor } from './text/index.js';
import type { ToolShelf } from './tools/tool-shelf.js';

export interface WiringInput {
  readonly engine: Engine;
  readonly bus: Bus;
  readonly models: Readonly<Record<ModelRole, LLMClient>>;
  readonly client: (of: LLMClient) => LLMClient;
  readonly shelf: ToolShelf;
  readonly clock: Clock;
  readonly memory: MemoryStore;
  readonly redactor: Redactor;
  readonly options: ArtooOptions;
}

/** Makes each role, the host's class where it gave one, and connects it to its port. */
export function wireRoles({ engine, bus, models, client, shelf, clock, memory, redactor, options }: WiringInput): void {
  const { roles = {}, checks, environment = 'local' } = options;
  const common = { runtime: engine };
  const put = <Options>(id: RoleId, key: keyof RoleClasses, builtIn: new (options: Options) => AttachableRole, given: Options): void => {
    const own = roles[key] as (new (options: Options) => AttachableRole) | undefined;
    new (own ?? builtIn)(given).attach(engine.port(id, own !== undefined));
  };
  put('R1', 'perceiver', Perceiver, { ...common, llm: client(models.R1), canAsk: options.clarify !== undefined });
  put('R2', 'planner', Planner, {
    ...common, llm: client(models.R2), environment, canConfirm: () => engine.port('R3').listens('ApprovalRequest'), describeTools: (names: readonly string[]) => shelf.describe(names), checks: Object.keys(checks ?? {}),
  });
  put('dispatcher', 'dispatcher', Dispatcher, common);
  put('R3', 'executor', Executor, { ...common, llm: client(models.R3), tools: shelf, clock, secrets: options.redact === false ? createRedactor() : redactor, sandbox: options.sandbox });
  put('R4a', 'agentValidator', AgentValidator, { ...common, llm: client(models.R4a), checks });
  put('R4b', 'metaValidator', MetaValidator, { ...common, llm: client(models.R4b), checks });
  put('R5', 'sharedMemory', SharedMemory, {
    ...common, memory, clock, redactor, embed: options.embed, onProblem: (error, envelope) => bus.report({ kind: 'handler_failed', envelope, error }),
  });
  put('R7', 'goalGradientSolver', GoalGradientSolver, { ...common, environment, clock, reflect: options.reflect });
}
