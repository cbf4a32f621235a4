/**
 * artoo: one `run` on one long-lived instance. The subtask's criterion has a check in code, so R4a asks no model and the
 * run costs the same five calls. `ledger: 'file'` writes the hash-chained record to a folder, without fsync.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { doorUrl } from '../door.mjs';
import { INPUT, TOOL_DESCRIPTION, TOOL_NAME, createModel, createToolWork, toolInputSchema } from '../task.mjs';

export async function create({ latencyMs, ledger = 'memory' }) {
  const { createArtoo, defineTool } = await import(doorUrl());
  const model = createModel({ latencyMs });
  const work = createToolWork();
  const readNotes = defineTool({
    name: TOOL_NAME, description: TOOL_DESCRIPTION, input: toolInputSchema, effect: 'read', execute: () => work.execute(),
  });
  let directory;
  let options = {};
  if (ledger === 'file') {
    const { createFileLedger } = await import(doorUrl('./ledger'));
    directory = await mkdtemp(join(tmpdir(), 'artoo-bench-'));
    options = { ledger: createFileLedger({ dir: directory, fsync: 'never' }) };
  }
  const artoo = createArtoo({ models: { brain: model, tool: model }, tools: [readNotes], ...options });

  async function run() {
    const result = await artoo.run({ input: INPUT }).result;
    if (result.directive !== 'accept') {
      throw new Error(`The run ended with ${result.directive} (${result.reason ?? 'no reason'}): ${result.summary} ${JSON.stringify(result.unmet)}`);
    }
    return result.output;
  }
  async function close() {
    await artoo.close();
    if (directory) await rm(directory, { recursive: true, force: true });
  }
  return { model, work, run, close };
}
