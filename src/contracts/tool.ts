import type { FailureClass, Effect } from './names.js';

/** A folder that file tools and checks are confined to. Paths are relative to it. */
export interface Workspace {
  readonly root: string;
  /** Whether something is there. Refuses paths that lead outside with ARTOO_WORKSPACE_ESCAPE. */
  exists(path: string): Promise<boolean>;
  readText(path: string, options?: { readonly maxBytes?: number }): Promise<string>;
}

export interface ToolContext {
  /** Aborted on timeout and when the task stops. A tool that ignores it is left behind, its late result dropped. */
  readonly signal: AbortSignal;
  readonly workspace: Workspace | undefined;
  /** One line for people. */
  readonly log: (line: string) => void;
  /** The same for a repeat of the same call after a crash. */
  readonly intentId: string;
  readonly taskId: string;
  /** One line that the result must carry, in `lawEvents`: where replaced content was kept, which sandbox was in force. */
  readonly disclose: (line: string) => void;
  /** What the host wants of a sandbox, where the tool has no setting of its own. */
  readonly sandbox?: SandboxPolicy | undefined;
}

/**
 * What a tool that runs programs does about a sandbox: `none` uses none; `auto` uses one where there is one and says in the
 * result which was in force; `required` refuses to run without one.
 */
export type SandboxPolicy = 'none' | 'auto' | 'required';

/** What `effect` and `target` functions may look at before the call. */
export interface ToolProbeContext { readonly signal: AbortSignal; readonly workspace: Workspace | undefined }

/** Validation by Standard Schema (https://standardschema.dev), as zod, valibot and arktype implement it. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined }[] };
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Whether an intent whose outcome is unknown was carried out. */
export type ProbeAnswer = 'done' | 'not done' | 'unknown';

/**
 * A tool as the runtime holds it; made by `defineTool`.
 *
 * `execute` may throw: `ToolError.environmental` and `.logical` say whose fault it was; I/O error codes count as
 * environmental, all else as logical. `effect` has no default: whoever writes a tool must say what it does.
 */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Parses and checks; resolves with the input that `execute` gets. */
  readonly validate: (input: unknown) => StandardResult<unknown> | Promise<StandardResult<unknown>>;
  readonly effect: Effect | ((input: never, context: ToolProbeContext) => Effect | Promise<Effect>);
  readonly target?: ((input: never) => string) | undefined;
  /** What the approval question shows beyond the input, e.g. a diff. */
  readonly preview?: ((input: never, context: ToolProbeContext) => string | Promise<string>) | undefined;
  /** Default 60,000 ms. */
  readonly timeoutMs?: number | undefined;
  /** Calls of this tool at once, over all tasks; default unlimited. */
  readonly concurrency?: number | undefined;
  readonly probe?: ((intentId: string) => ProbeAnswer | Promise<ProbeAnswer>) | undefined;
  /** The folder the tool is bound to, when there is one. */
  readonly workspace?: Workspace | undefined;
  /**
   * The texts that leave the machine with a call: an address, a search query, a message. Empty or undefined: nothing does.
   * Once untrusted text has come in, a call that sends out what no trusted text named asks first, whatever its effect; a
   * call that sends out what looks like a secret always asks.
   */
  readonly outward?: ((input: never) => readonly string[] | undefined) | undefined;
  /**
   * The host vouches for what this tool returns: no text in it was written by strangers. Default false. A run that took in
   * other output is untrusted: what it leaves in memory can make plans more careful, never bolder, and becomes no rule.
   */
  readonly trusted?: boolean | undefined;
  readonly execute: (input: never, context: ToolContext) => unknown;
}

export type { Effect, FailureClass };
