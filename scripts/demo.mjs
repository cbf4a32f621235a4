// Four acts on real files, live: a task accepted at once, one that the controller corrects, one that can't be done, and
// the corrected one again, which memory keeps out of yesterday's dead end.
//
//   npm run demo                    the four acts, in a scratch workspace
//   npm run demo -- --forget        memory is emptied before the fourth act: it takes the dead end again
//   npm run demo -- "your task"     yours instead, in the scratch workspace or with --workspace DIR
//   --keep                          leaves the scratch workspace where it is
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const cli = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
if (!existsSync(cli)) {
  console.error('There is no dist/ yet. Run: npm run build');
  process.exit(3);
}
const { OFFLINE_MODEL_NAME } = await import('../dist/entries/offline.js');
const { createFileLedger, verifyLedger } = await import('../dist/entries/ledger.js');
const { openMemory } = await import('../dist/entries/memory.js');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'boolean' }, workspace: { type: 'string' }, offline: { type: 'boolean' }, yes: { type: 'boolean' }, forget: { type: 'boolean' } },
});
if (values.forget && values.workspace !== undefined) {
  console.error('--forget empties memory: it is for the scratch workspace alone, not for a folder of yours.');
  process.exit(2);
}
const configured = !values.offline && Object.entries(process.env).some(([name, value]) => /^(?:BRAIN|OPENAI)_(?:MODEL|BASE_URL|API_KEY)$/.test(name) && value?.trim());
const scratch = values.workspace ?? makeWorkspace();

/** What a scratch workspace holds. */
function makeWorkspace() {
  const root = mkdtempSync(join(tmpdir(), 'artoo-demo-'));
  const files = {
    'README.md': '# Tide tables\n\nA small program that prints tide tables. It reads one file per harbour.\n\n## Use\n\nRun it with the name of a harbour.\n\n## Files\n\n- src: the program\n- docs: what it promises\n',
    'docs/guide.md': '# Guide\n\nStart with the harbour files. Then choose a day.\n\n## Harbours\n\nOne file each.\n\n## Days\n\nAs year, month, day.\n\n## Output\n\nOne line for each tide.\n',
    'docs/archive/meeting-notes.md': '# Meeting notes\n\nWe agreed on three points.\n\n- harbours first\n- days second\n- no colours\n',
    'src/main.ts': '// TODO: read the day from the command line\nexport const harbours = [];\n// TODO: sort by name\n',
    'src/tides.ts': 'export function tides() {\n  // TODO: leap years\n  return [];\n}\n',
    'src/format/line.ts': 'export const line = (text: string) => text;\n',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** Runs the command line as anyone would; the pipeline goes to the terminal live, the result comes back. */
async function run(task) {
  const flags = ['run', task, '--workspace', scratch, '--json', ...(values.offline ? ['--offline'] : []), ...(values.yes ? ['--yes'] : [])];
  const child = spawn(process.execPath, [cli, ...flags], { stdio: ['inherit', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => { printed += text; });
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (printed === '') throw new Error(`The command line ended with ${code} and no result.`);
  return { code, result: JSON.parse(printed) };
}

const acts = [
  {
    title: 'Act 1: accepted at once. Three subtasks side by side.',
    task: 'How many TODOs are in src, how many .ts files are in src, and which is longer, README.md or docs/guide.md?',
    asAnnounced: ({ directive, replans, usage }) => directive === 'accept' && replans === 0 && usage.sequentialDepth < usage.calls,
  },
  {
    title: 'Act 2: the first path is blocked. The file is not where the task says; the controller sends the planner another way.',
    task: 'Summarise docs/meeting-notes.md and count the .md files in docs.',
    asAnnounced: ({ directive, replans, prevDirective, output }) => directive === 'accept' && replans === 1 && prevDirective === 'change_path' && String(output).includes('docs/archive/meeting-notes.md'),
  },
  {
    title: "Act 3: can't be done. What could be done is handed over, with what to do next.",
    task: 'Count the lines in README.md and summarise budget-2031.md.',
    asAnnounced: ({ directive, partial, nextMoves }) => directive === 'abandon' && partial.length === 1 && nextMoves.length >= 2,
  },
];
acts.push(values.forget
  ? { ...acts[1], title: 'Act 4: the task of act 2 again, by another process. Memory was emptied before, so the dead end is taken again.' }
  : {
    ...acts[1],
    title: 'Act 4: the task of act 2 again, by another process. All that is left of the first run is what memory wrote to disk.',
    asAnnounced: ({ directive, replans, output }, { experience }) => directive === 'accept' && replans === 0 && experience.length > 0 && String(output).includes('docs/archive/meeting-notes.md'),
  });

const ledgerFolder = join(scratch, '.artoo', 'ledger');
const memoryFolder = join(scratch, '.artoo', 'memory');

/** How a run went, as its own record says: its directives, what it cost, and the memory that its plans go by. */
async function recorded({ taskId, usage, directive }) {
  const ledger = createFileLedger({ dir: ledgerFolder });
  try {
    const messages = (await ledger.read(taskId)).flatMap((line) => (line.kind === 'message' ? [line.envelope] : []));
    const payloads = (type) => messages.filter((message) => message.type === type).map(({ payload }) => payload);
    const manifests = payloads('DispatchManifest');
    return {
      path: [...payloads('PlanDirective').map((message) => message.directive), directive].join(' → '),
      rounds: manifests.length, usage,
      experience: manifests.flatMap(({ experience = [] }) => experience),
    };
  } finally {
    await ledger.close();
  }
}

/** Two runs of one task side by side, and each memory that made the difference, read from the store. */
async function compare(first, second) {
  const line = (name, { path, rounds, usage }) => `${name}: ${path}; ${rounds} ${rounds === 1 ? 'round' : 'rounds'}, ${usage.calls} model calls, ${usage.toolCalls} tool calls`;
  console.log(`\n${line('First run, act 2 ', first)}\n${line('Second run, act 4', second)}`);
  if (second.experience.length === 0) return console.log('No memory changed the plan of the second run.');
  const memory = await openMemory({ path: memoryFolder });
  try {
    // What the plan names as a reason first; then what code holds every plan to.
    const isBan = ({ kind }) => kind === 'must_not' || kind === 'caution';
    const shown = new Set();
    for (const piece of [...second.experience].sort((a, b) => isBan(a) - isBan(b))) {
      console.log(`${isBan(piece) ? 'Every plan is held to this' : 'The plan names this as a reason'}: ${piece.text.split('\n', 1)[0]}`);
      for (const id of piece.megramIds.filter((name) => !shown.has(name) && shown.add(name))) {
        const megram = await memory.get(id);
        if (megram) console.log(`    memory ${id}\n    tag ${megram.space} | ${megram.entity}, written ${((Date.now() - megram.createdAt) / 1000).toFixed(1)} s ago by task ${megram.origin.taskId}\n        ${megram.content.replaceAll('\n', '\n        ')}`);
      }
    }
  } finally {
    await memory.close();
  }
}

console.log(configured ? 'The model configured in BRAIN_* or OPENAI_* is used.' : `No model is configured: the rule-based offline model (${OFFLINE_MODEL_NAME}) is used. It is no language model; with BRAIN_* or OPENAI_* set, the same command uses yours.`);
console.log(`Workspace: ${scratch}`);
let failed = 0;
try {
  if (positionals.length > 0) {
    const { code, result } = await run(positionals.join(' '));
    console.log(`\n${typeof result.output === 'string' ? result.output : JSON.stringify(result.output, null, 2)}`);
    failed = code;
  } else {
    const records = [];
    for (const [index, { title, task, asAnnounced }] of acts.entries()) {
      console.log(`\n=== ${title}\n    Task: ${task}\n`);
      if (index === 3 && values.forget) rmSync(memoryFolder, { recursive: true, force: true });
      const { result } = await run(task);
      console.log(`\n--- ${result.directive}${result.output === null ? '' : `\n${typeof result.output === 'string' ? result.output : JSON.stringify(result.output, null, 2)}`}`);
      const record = await recorded(result);
      records.push(record);
      if (asAnnounced(result, record)) continue;
      console.log('This act did not go as announced.');
      if (!configured) failed = 1;
    }
    await compare(records[1], records[3]);
  }
  const ledger = createFileLedger({ dir: ledgerFolder });
  const tasks = await ledger.list();
  await ledger.close();
  const checked = await verifyLedger(ledgerFolder);
  console.log(`\nLedger: ${ledgerFolder} (${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}${checked.ok ? ', every line verified' : ', which is damaged'}).`);
} finally {
  if (values.workspace === undefined && !values.keep) {
    rmSync(scratch, { recursive: true, force: true });
    console.log('The scratch workspace was removed; --keep leaves it.');
  }
}
process.exitCode = failed;
