import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { Clock } from '../../src/contracts/runtime.js';
import type { Effect, SandboxPolicy, Tool } from '../../src/contracts/tool.js';
import { systemClock } from '../../src/signals/system-clock.js';
import { runTool, type ToolRunResult } from '../../src/tools/run-tool.js';

/** Makes a real folder of its own per call; all are removed after each test. */
export function useFolders(): () => string {
  const made: string[] = [];
  afterEach(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'artoo-tools-')));
    made.push(folder);
    return folder;
  };
}

/** Validates and runs, as the runtime does. */
export async function call(tool: Tool, input: unknown, options: { readonly signal?: AbortSignal; readonly clock?: Clock; readonly log?: (line: string) => void; readonly taskId?: string; readonly disclose?: (line: string) => void; readonly sandbox?: SandboxPolicy } = {}): Promise<ToolRunResult> {
  const checked = await tool.validate(input);
  if (checked.issues) throw new Error(`invalid input: ${checked.issues.map(({ message }) => message).join('; ')}`);
  return runTool({ tool, input: checked.value, intentId: 'call-1', signal: options.signal ?? new AbortController().signal, clock: options.clock ?? systemClock, log: options.log, taskId: options.taskId, disclose: options.disclose, sandbox: options.sandbox });
}

/** Judges, then runs the same input, as the runtime does. */
export async function judgeAndCall(tool: Tool, input: unknown, options: Parameters<typeof call>[2] & { readonly between?: () => void } = {}): Promise<ToolRunResult & { readonly effect: Effect; readonly preview: string | undefined }> {
  const checked = await tool.validate(input);
  if (checked.issues) throw new Error(`invalid input: ${checked.issues.map(({ message }) => message).join('; ')}`);
  const context = { signal: new AbortController().signal, workspace: tool.workspace };
  const judge = async (): Promise<Effect> => (typeof tool.effect === 'string' ? tool.effect : tool.effect(checked.value as never, context));
  const effect = await judge();
  const preview = await tool.preview?.(checked.value as never, context);
  options.between?.();
  // Judged once more right before it runs.
  await judge().catch(() => undefined);
  const result = await runTool({
    tool, input: checked.value, intentId: 'call-1', signal: options.signal ?? new AbortController().signal, clock: options.clock ?? systemClock,
    log: options.log, taskId: options.taskId, disclose: options.disclose, sandbox: options.sandbox,
  });
  return { ...result, effect, preview };
}

/** The rejection of a promise, or of a function's promise. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(() => { throw new Error('expected a rejection'); }, (error: unknown) => error);
}
