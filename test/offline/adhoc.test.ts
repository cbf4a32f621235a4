import { expect, test } from 'vitest';
import { tell, workspace } from './workspace.js';
test('adhoc', async () => {
  const root = workspace();
  for (const task of [
    'How many TODOs are in src?', 'How many .ts files are in src?', 'Count the lines in README.md', 'how many lines are in all .ts files in src', 'how many words are in docs/notes.md',
    'find all markdown files', 'find lines containing "export" in src', 'list src', 'what is in empty', 'which is longer, README.md or docs/guide.md?', 'are README.md and docs/notes.md identical?',
    'which has more TODOs, src or docs', 'summarise docs/guide.md', 'show docs/notes.md', 'how many files contain zebra', 'Count the .ts files in src and the TODOs in src and write it to out/report.md',
    'Count the lines in notes.md', 'summarise guid.md', 'how many files are in scr', 'translate README.md to French', 'Count the .ts files in src and summarise plan-2031.md', 'write the number of TODOs in src to README.md',
  ]) {
    const { result, events } = await tell(root, task);
    console.log(`>>> ${task}\n${result.directive} ${result.reason ?? ''} replans ${result.replans} calls ${result.usage.calls} depth ${result.usage.sequentialDepth}\n${JSON.stringify(result.output)}\nSUM ${result.summary}\nungrounded ${result.ungrounded} moves ${JSON.stringify(result.nextMoves)} partial ${JSON.stringify(result.partial)}`);
    if (result.directive !== 'accept') console.log(JSON.stringify(result.unmet), events.filter((e) => e.type === 'PlanDirective').map((e) => JSON.stringify([e.payload.directive, e.payload.blockedTools, e.payload.blockedTargets, e.payload.hints])).join('\n'), JSON.stringify(events.filter((e) => e.type === 'SubTask' && e.from === 'R2').map((e) => e.payload.intent)));
  }
  expect(1).toBe(1);
}, 60000);
