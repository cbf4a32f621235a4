import type { Bus } from './contracts/bus.js';
import type { CriterionInput } from './contracts/criterion.js';
import type { Envelope } from './contracts/envelope.js';
import type { Ledger } from './contracts/ledger.js';
import type { Embed, MemoryStore } from './contracts/memory.js';
import type { Budget, ContextTurn, Limits, PlanInput } from './contracts/messages.js';
import type { Clarify, Confirm } from './contracts/people.js';
import type { Clock, Ids } from './contracts/runtime.js';
import type { SandboxPolicy, Tool, Workspace } from './contracts/tool.js';
import type { HyperparameterOverrides } from './ggs/hyperparameters.js';
import type { Prices } from './kernel/budget-meter.js';
import type { Models } from './llm/models.js';
import type { Checks } from './roles/checks/run-check.js';
import type { Reflect } from './roles/goal-gradient-solver/reflect.js';
import type { AttachableRole } from './roles/role.js';

/** A class that can stand in for a built-in role; it is given what the built-in one is given. */
export type RoleClass<Options> = new (options: Options) => AttachableRole;
/** Roles that can be replaced. */
export interface RoleClasses {
  // `never`: each class states for itself what it takes of the options that the role is given.
  readonly perceiver?: RoleClass<never>;
  readonly planner?: RoleClass<never>;
  readonly executor?: RoleClass<never>;
  readonly agentValidator?: RoleClass<never>;
  readonly metaValidator?: RoleClass<never>;
  readonly goalGradientSolver?: RoleClass<never>;
  readonly dispatcher?: RoleClass<never>;
  readonly sharedMemory?: RoleClass<never>;
}

/** What {@link createArtoo} takes. Only `models` must be given. */
export interface ArtooOptions {
  /** Clients by tier and role; see `artoo/openai` for one, or write your own. */
  readonly models: Models;
  readonly tools?: readonly Tool[];
  /** Experience. Default: the newest few hundred memories, in RAM. */
  readonly memory?: MemoryStore;
  readonly bus?: Bus;
  /** The record. Default: in RAM; `createFileLedger` of `artoo/ledger` survives a crash. */
  readonly ledger?: Ledger;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Asked before anything that can't be undone. Without it every such call is denied. */
  readonly confirm?: Confirm;
  /** Answers questions about the task. Without it none are asked. */
  readonly clarify?: Clarify;
  readonly hyperparameters?: HyperparameterOverrides;
  readonly limits?: Limits;
  /** The folder that checks look into; a path or a Workspace. Default: the first tool's, where it is bound to one. */
  readonly workspace?: string | Workspace;
  readonly roles?: RoleClasses;
  /** Names the surroundings for memory. Default `local`. */
  readonly environment?: string;
  /** Gets every message. May throw or be slow: it can't break a run. */
  readonly onEvent?: (event: Envelope) => unknown;
  /** Money per million tokens, by model name. Needed for `budget.money`. */
  readonly prices?: Prices;
  /** Checks of your own that criteria may name, by type. */
  readonly checks?: Checks;
  /** Finds related tasks in memory by meaning instead of shared words. */
  readonly embed?: Embed;
  /** Writes what is remembered of a task. Default, and whenever it fails: a lesson made by code. */
  readonly reflect?: Reflect;
  /**
   * Secrets of your own, as expressions or literal texts. They and the common shapes of keys and passwords are masked in
   * a ledger and a memory, for taps, `onEvent` and who iterates a run; `result` is whole. `false`: nothing is masked.
   */
  readonly redact?: readonly (RegExp | string)[] | false;
  /** Whether tools that run programs do so in a sandbox, where they have no setting of their own. Default `none`. */
  readonly sandbox?: SandboxPolicy;
  /** Resume what the ledger holds unfinished, at once. */
  readonly resumeOnStart?: boolean;
}

/** What {@link Artoo.run} takes beside a text. */
export interface RunOptions {
  /** The task in the user's words. */
  readonly input: string;
  /** With `intent` (and `slug`) R1's call is spared. */
  readonly intent?: string;
  readonly slug?: string;
  /** Criteria and subtasks: spares R2's first call. Held to the same rules as a model's plan. */
  readonly plan?: PlanInput;
  /** Earlier turns that the task may refer to, oldest first. */
  readonly context?: readonly ContextTurn[];
  /** What must hold of the result. Required: no model can drop them. */
  readonly criteria?: readonly CriterionInput[];
  /** The tools of this run: names of the instance's, or further tools. Default: all of the instance's. */
  readonly tools?: readonly (string | Tool)[];
  readonly budget?: Budget;
  readonly limits?: Limits;
  readonly signal?: AbortSignal;
  readonly hyperparameters?: HyperparameterOverrides;
  /** Stream model text as Delta events, where the client streams. Default false. */
  readonly stream?: boolean;
}

/** Every option of {@link ArtooOptions}, for telling misspelt ones. */
export const OPTION_NAMES: readonly (keyof ArtooOptions)[] = [
  'models', 'tools', 'memory', 'bus', 'ledger', 'clock', 'ids', 'confirm', 'clarify', 'hyperparameters', 'limits', 'workspace', 'roles',
  'environment', 'onEvent', 'prices', 'checks', 'embed', 'reflect', 'redact', 'sandbox', 'resumeOnStart',
];
