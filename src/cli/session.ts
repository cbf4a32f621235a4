import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ArtooError, createArtoo, type Artoo, type Clarify, type MemoryStore } from '../index.js';
import { createFileLedger } from '../entries/ledger.js';
import { openMemory } from '../entries/memory.js';
import { workspaceTools } from '../entries/tools.js';
import { UsageError, type CommandOptions } from './arguments.js';
import { chooseModels, type Environment } from './models.js';
import { permissionFrom } from './permission.js';
import type { Terminal } from './terminal.js';

/** An artoo over one workspace, recorded in its ledger, with the workspace's memory. */
export interface Session { readonly artoo: Artoo; readonly ledgerFolder: string; close(): Promise<void> }

/** Throws a UsageError for a workspace that is none, and what createArtoo and the clients throw. */
export async function openSession(options: CommandOptions, environment: Environment, terminal: Terminal): Promise<Session> {
  const root = workspaceRoot(options);
  const ledgerFolder = ledgerFolderOf(options);
  const { brain, tool, notice } = chooseModels(options, environment);
  const ledger = createFileLedger({ dir: ledgerFolder });
  const memory = await memoryOf(root, terminal);
  const artoo = createArtoo({
    models: { brain, tool }, tools: workspaceTools({ root, backups: true }), ledger, sandbox: options.sandbox, confirm: permissionFrom(options, terminal),
    ...(memory ? { memory } : {}),
    ...(terminal.canAsk ? { clarify: clarifyOn(terminal) } : {}),
  });
  terminal.say(notice);
  if (options.permission === 'yes') terminal.say('--yes: steps that can\'t be undone are carried out without a question.');
  return {
    artoo, ledgerFolder,
    close: async () => {
      try {
        await artoo.close({ graceMs: 2_000 });
      } finally {
        await ledger.close();
        await memory?.close();
      }
    },
  };
}

/** What earlier tasks in this workspace left. Without it a task runs all the same, and the reason is said. */
async function memoryOf(root: string, terminal: Terminal): Promise<MemoryStore | undefined> {
  try {
    return await openMemory({ path: join(root, '.artoo', 'memory') });
  } catch (error) {
    if (!ArtooError.is(error)) throw error;
    terminal.say(`Without memory of earlier tasks: ${error.message}${error.hint ? ` ${error.hint}` : ''}`);
    return undefined;
  }
}

export function workspaceRoot(options: CommandOptions): string {
  const root = resolve(options.workspace);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`The workspace ${JSON.stringify(options.workspace)} is no folder.`);
  return root;
}

export function ledgerFolderOf(options: CommandOptions): string {
  return options.ledger === undefined ? join(workspaceRoot(options), '.artoo', 'ledger') : resolve(options.ledger);
}

function clarifyOn(terminal: Terminal): Clarify {
  return async (questions) => {
    const answers: string[] = [];
    for (const question of questions) {
      terminal.say(question);
      answers.push((await terminal.ask('(empty: go on) > ')) ?? '');
    }
    return answers;
  };
}
