#!/usr/bin/env node
/**
 * Writes the tables of docs/roles.md and docs/events.md that follow from ROLE_CONTRACTS, between their marks.
 *
 *   node scripts/update-docs.mjs [--check]
 *
 * --check writes nothing and ends with 1 when a page is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));
const { outputFiles } = await build({ entryPoints: [join(root, 'src/entries/contracts.ts')], bundle: true, write: false, format: 'esm', logLevel: 'silent' });
const { ROLE_CONTRACTS, messageTypes } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);

/** When each message is sent. The table of who sends it to whom is derived. */
const WHEN = {
  TaskRequest: 'a task is handed in',
  TaskSpec: 'the task has been read',
  ClarificationRequest: 'no reasonable reading exists and there is a `clarify` handler; twice at most',
  ClarificationReply: '`clarify` has answered',
  MemoryQuery: 'before each plan',
  MemoryReply: 'a memory query was answered',
  SubTask: 'once to the dispatcher when it is planned, once to its executor and validator when it starts',
  DispatchManifest: 'a plan stands; before its subtasks',
  PlanRejected: 'no admissible plan could be made',
  Stop: 'the task is stopped: aborted, deadline, budget',
  RoleFailure: 'a role could not do its step',
  ApprovalRequest: 'a call needs a yes first',
  ApprovalReply: '`confirm` has answered',
  NextMovesRequest: 'the task will be abandoned: what might be done instead?',
  NextMoves: 'two or three next moves, by the model or from a template',
  ExecutionResult: 'an attempt at a subtask is over',
  CorrectionSignal: 'a criterion failed and corrections are left',
  SubTaskOutcome: 'a subtask is over: matched, failed, or skipped because an earlier group failed',
  ReplanRequest: 'a round failed, at the gate or at the merge',
  OutcomeSummary: 'everything matched and the merged result was accepted',
  PlanDirective: 'the next round is ordered, with its constraints',
  FinalResult: 'the task has ended; exactly one per run',
  MegramWrite: 'an experience is kept',
  DreamerAction: 'rules were made or forgotten',
  LawEvent: 'a law has spoken: a call was asked about, allowed or refused',
  Progress: 'something for people to read is happening; not recorded',
  Delta: 'a model streams text and the run was started with `stream`; not recorded',
  AuditQuery: 'the operator asks for a report',
  AuditReport: 'the report',
};

const list = (values) => (values.length === 0 ? '–' : values.join(', '));
const table = (head, rows) => [`| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n');
const contracts = Object.entries(ROLE_CONTRACTS);

function rolesTable() {
  return table(['id', 'role', 'lives in', 'place in the loops', 'mission'], contracts.map(([id, role]) => [id, role.name, role.livesIn, role.loopPosition, role.mission]));
}

function boundaries() {
  return contracts.map(([id, role]) => [
    `### ${id === role.name.toLowerCase() ? role.name : `${id} ${role.name}`}`,
    '',
    `- hears: ${list(Object.entries(role.receives).map(([type, from]) => `${type} (${from.join(', ')})`))}`,
    `- says: ${list(Object.entries(role.produces).map(([type, to]) => `${type} (${to.join(', ')})`))}`,
    ...(role.doesNot.length > 0 ? [`- does not: ${role.doesNot.join('; ')}`] : []),
    `- answers for: ${role.accountableFor}`,
  ].join('\n')).join('\n\n');
}

function messagesTable() {
  return table(['message', 'from → to', 'when'], messageTypes.map((type) => {
    if (!Object.hasOwn(WHEN, type)) throw new Error(`scripts/update-docs.mjs doesn't say when ${type} is sent`);
    const senders = new Map();
    for (const [id, role] of contracts) {
      const to = role.produces[type];
      if (to) senders.set(to.join(', '), [...(senders.get(to.join(', ')) ?? []), id]);
    }
    return [type, [...senders].map(([to, from]) => `${from.join(', ')} → ${to}`).join('; '), WHEN[type]];
  }));
}

const parts = [['docs/roles.md', 'roles', rolesTable()], ['docs/roles.md', 'boundaries', boundaries()], ['docs/events.md', 'messages', messagesTable()]];
let stale = 0;
for (const [path, name, text] of parts) {
  const file = join(root, path);
  const page = readFileSync(file, 'utf8');
  const [begin, end] = [`<!-- begin: ${name}, written by npm run docs:update -->`, `<!-- end: ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${path} has no place for ${name}: it needs the lines "${begin}" and "${end}"`);
  const updated = `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
  if (updated === page) continue;
  stale += 1;
  if (process.argv.includes('--check')) console.error(`${path} is out of date (${name}). Run \`npm run docs:update\`.`);
  else writeFileSync(file, updated);
}
if (process.argv.includes('--check')) process.exitCode = stale > 0 ? 1 : 0;
else console.log(stale === 0 ? 'The pages are up to date.' : `${stale} part(s) updated.`);
