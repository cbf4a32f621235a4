import { Worker } from 'node:worker_threads';
import type { LineMatcher } from '../tools/portable/file-workspace.js';
import { ToolError } from '../tools/tool-error.js';
import { onAbort } from '../signals/on-abort.js';

/** Runs in the worker. Stateless: a pattern without `g` or `y` keeps no position. */
const WORKER_SOURCE = `
const { parentPort, workerData } = require('node:worker_threads');
const pattern = new RegExp(workerData.source, workerData.flags);
parentPort.on('message', (lines) => parentPort.postMessage(lines.map((line) => pattern.test(line))));
`;

type Answer = { readonly matches: readonly boolean[] } | { readonly error: unknown };

/** Matches lines in a thread of its own, which is ended when a pattern takes too long: a thread is the only thing that can stop one. */
export function workerLineMatcher(pattern: RegExp): LineMatcher {
  const worker = new Worker(WORKER_SOURCE, {
    eval: true, env: {}, stdin: false, workerData: { source: pattern.source, flags: pattern.flags.replace(/[gy]/g, '') },
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  let ended: Promise<unknown> | undefined;
  let failed: unknown;
  worker.on('error', (error) => void (failed = error));
  const close = async (): Promise<void> => {
    await (ended ??= worker.terminate());
  };
  return {
    async match(lines, { timeoutMs, signal }) {
      if (signal.aborted) throw signal.reason;
      if (ended || failed !== undefined) throw ToolError.logical('The pattern could not be searched for.', { cause: failed });
      const answer = await ask(worker, lines, { timeoutMs, signal });
      if ('matches' in answer) return answer.matches;
      await close();
      throw answer.error;
    },
    close,
  };
}

function ask(worker: Worker, lines: readonly string[], { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal }): Promise<Answer> {
  return new Promise((resolve) => {
    let stopListening: (() => void) | undefined;
    const finish = (answer: Answer): void => {
      clearTimeout(timer);
      stopListening?.();
      worker.off('message', onMessage);
      worker.off('error', onError);
      resolve(answer);
    };
    const onMessage = (matches: readonly boolean[]): void => finish({ matches });
    const onError = (error: unknown): void => finish({ error: ToolError.logical('The pattern could not be searched for.', { cause: error }) });
    const timer = setTimeout(() => finish({ error: ToolError.logical('The pattern took too long and was stopped.', {
      hint: 'Simplify it (no repetition inside a repetition, fewer stars) or search fewer files.',
    }) }), timeoutMs);
    worker.on('message', onMessage);
    worker.on('error', onError);
    stopListening = onAbort(signal, () => finish({ error: signal.reason }));
    worker.postMessage(lines);
  });
}
