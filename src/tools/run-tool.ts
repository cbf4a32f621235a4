import { ArtooError, type ArtooErrorCode } from '../contracts/errors.js';
import type { FailureClass } from '../contracts/names.js';
import type { Clock } from '../contracts/runtime.js';
import type { SandboxPolicy, Tool, ToolContext, Workspace } from '../contracts/tool.js';
import { runWithTimeout } from '../signals/index.js';
import { cleanText, headTail } from '../text/index.js';
import { asArtooError, classifyToolError } from './classify-error.js';
import { PLACES, type PlacedTool } from './define-tool.js';
import { outputText } from './output-text.js';

/** A tool's time when it names none, in ms. */
export const DEFAULT_TOOL_TIMEOUT_MS = 60_000;
const LONGEST_MESSAGE = 2_000;
const LONGEST_LOG_LINE = 500;

/** What {@link runTool} takes. */
export interface ToolRunOptions {
  readonly tool: Tool;
  /** As `tool.validate` returned it. */
  readonly input: unknown;
  readonly intentId: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly workspace?: Workspace | undefined;
  /** Default: empty. */
  readonly taskId?: string | undefined;
  readonly sandbox?: SandboxPolicy | undefined;
  /** Gets each line that the result must carry. */
  readonly disclose?: ((line: string) => void) | undefined;
  /** Gets one cleaned line at a time while the tool runs, nothing afterwards. */
  readonly log?: ((line: string) => void) | undefined;
}

/** How one call ended. `text` is the output as text: whole, or head and tail from 1 MB on. */
export interface ToolRunResult {
  readonly ok: boolean;
  /** What the tool returned, unchanged; absent when it failed or returned undefined. */
  readonly value?: unknown;
  readonly text: string;
  /** Bytes of the whole output before it was shortened. */
  readonly totalBytes?: number;
  /** Ran and found nothing. */
  readonly empty: boolean;
  readonly failureClass?: FailureClass;
  readonly code?: ArtooErrorCode;
  readonly message?: string;
  /** True when the tool hadn't settled when the call ended: whether it still acts, or has acted, is unknown. */
  readonly leftBehind?: boolean;
  /** Time it ran, in ms; waiting for a place doesn't count. */
  readonly durationMs: number;
}

/**
 * Runs one call and reports how it ended; never rejects. Timeout, abort, a throw of anything, garbage and huge output
 * all end in a result. A tool that ignores its signal is left behind and its late result dropped; its place of
 * `concurrency` is free again then, as otherwise one stuck call would stop all later ones.
 *
 * @example
 * import { runTool } from 'artoo/tools';
 * const { ok, text } = await runTool({ tool, input: { path: 'a.txt' }, intentId: '1', signal, clock });
 */
export async function runTool(options: ToolRunOptions): Promise<ToolRunResult> {
  const { tool, signal, clock } = options;
  let leave: (() => void) | undefined;
  let startedAt: number | undefined;
  const call = { begun: false, settled: false, over: false };
  const duration = (): number => elapsed(clock, startedAt);
  try {
    if (signal.aborted) throw signal.reason;
    leave = await (tool as PlacedTool)[PLACES]?.enter(signal);
    startedAt = clock.monotonic();
    const timeoutMs = tool.timeoutMs ?? DEFAULT_TOOL_TIMEOUT_MS;
    const value = await runWithTimeout<unknown>({
      clock, signal, ms: timeoutMs,
      run: (inner) => execute(options, inner, call),
      onTimeout: () => new ArtooError('ARTOO_TOOL_TIMEOUT', `The tool "${tool.name}" did not finish within ${timeoutMs} ms.`, {
        hint: 'Ask for less at once, or give the tool a longer `timeoutMs`.', details: { timeoutMs },
      }),
    });
    return { ok: true, ...(value === undefined ? {} : { value }), ...outputText(value), durationMs: duration() };
  } catch (error) {
    return { ...failure(error, signal), ...(call.begun && !call.settled && { leftBehind: true }), durationMs: duration() };
  } finally {
    call.over = true;
    leave?.();
  }
}

function elapsed(clock: Clock, startedAt: number | undefined): number {
  try {
    return startedAt === undefined ? 0 : Math.max(0, clock.monotonic() - startedAt);
  } catch {
    return 0;
  }
}

interface Call { begun: boolean; settled: boolean; over: boolean }

/** Notes when the tool itself settles, whatever becomes of the call. */
async function execute({ tool, input, intentId, taskId = '', workspace, sandbox, log, disclose }: ToolRunOptions, signal: AbortSignal, call: Call): Promise<unknown> {
  const context: ToolContext = {
    signal, workspace, intentId, taskId, sandbox,
    log: (line) => {
      if (!call.over && log) tell(log, line);
    },
    disclose: (line) => {
      if (!call.over && disclose) tell(disclose, line);
    },
  };
  call.begun = true;
  try {
    return await tool.execute(input as never, context);
  } finally {
    call.settled = true;
  }
}

/** A listener's failure is not the tool's. */
function tell(log: (line: string) => void, line: unknown): void {
  try {
    log(headTail(cleanText(String(line)).replaceAll('\n', ' '), { max: LONGEST_LOG_LINE }));
  } catch {
    // Nobody to tell.
  }
}

function failure(error: unknown, signal: AbortSignal): Omit<ToolRunResult, 'durationMs'> {
  const aborted = signal.aborted;
  const known = asArtooError(error);
  const code: ArtooErrorCode = aborted && known?.code !== 'ARTOO_TOOL_TIMEOUT' ? 'ARTOO_ABORTED' : known?.code ?? 'ARTOO_TOOL_FAILED';
  const output = known?.details['output'];
  const shown = typeof output === 'string' ? outputText(output) : { text: '' };
  return {
    ok: false, ...shown, empty: false, code,
    failureClass: code === 'ARTOO_ABORTED' ? 'environmental' : classifyToolError(error),
    message: code === 'ARTOO_ABORTED' ? 'The call was stopped before it finished.' : messageOf(error),
  };
}

/** The words of whatever was thrown, with the hint where there is one. */
function messageOf(error: unknown): string {
  let words: string;
  try {
    const known = asArtooError(error);
    if (known?.hint !== undefined) words = `${known.message} ${known.hint}`;
    else if (typeof error === 'object' && error !== null && typeof (error as { message?: unknown }).message === 'string') {
      words = (error as { message: string }).message || (error as { name?: unknown }).name as string;
    } else words = typeof error === 'string' && error !== '' ? error : `The tool threw ${describe(error)}.`;
  } catch {
    words = 'The tool threw something that cannot be shown.';
  }
  return headTail(cleanText(String(words)), { max: LONGEST_MESSAGE, headShare: 0.6 });
}

function describe(value: unknown): string {
  if (value === '') return 'an empty text';
  return typeof value === 'object' && value !== null ? 'an object without a message' : String(value);
}
