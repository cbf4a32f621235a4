import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { LedgerEvent } from 'artoo/ledger';

const folders: string[] = [];

/** A folder of its own, removed after the file's tests. Registers its clean-up once, when the module is loaded. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'artoo-ledger-'));
  folders.push(folder);
  return folder;
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

export function law(taskId: string, number: number, what = `event ${number}`): LedgerEvent {
  return { v: 1, taskId, at: 1_700_000_000_000 + number, elapsedMs: number, kind: 'law', law: 1, what, decision: 'refused' };
}

export function reply(taskId: string, number: number, text = `reply ${number}`): LedgerEvent {
  return {
    v: 1, taskId, at: 1_700_000_000_000 + number, elapsedMs: number, kind: 'llm.reply', address: { role: 'R2', kind: 'llm', ordinal: number },
    attempt: 1, durationMs: 1, reply: { text, finishReason: 'stop' },
  };
}

export function outcome(taskId: string, number: number, value: unknown): LedgerEvent {
  return {
    v: 1, taskId, at: 1_700_000_000_000 + number, elapsedMs: number, kind: 'tool.outcome', effect: 'read', value,
    address: { role: 'R3', kind: 'tool', ordinal: number, subtaskId: 's1' },
  };
}

export function end(taskId: string, number: number): LedgerEvent {
  return { v: 1, taskId, at: 1_700_000_000_000 + number, elapsedMs: number, kind: 'task.end', directive: 'success' };
}

/** The path of the only file with this ending. */
export async function onlyFile(folder: string, ending: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending));
  if (names.length !== 1) throw new Error(`${names.length} files end in ${ending}`);
  return join(folder, names[0] as string);
}
