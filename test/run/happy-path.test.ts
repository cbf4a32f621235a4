import { createArtoo, defineTool } from 'artoo';
import { CountingIds, ScriptedLLM } from 'artoo/testing';
import * as z from 'zod';
import { expect, test } from 'vitest';

const lookup = defineTool({
  name: 'lookup', description: 'Looks a word up.', input: z.object({ word: z.string() }), effect: 'read',
  target: ({ word }) => word, execute: ({ word }) => `${word}: four letters`,
});

test('one task goes R1 → R2 → R3 → R4a → R4b → R7 and is accepted', async () => {
  const llm = new ScriptedLLM([
    { role: 'R1', reply: { slug: 'look_up', intent: 'Look up the word tree.' } },
    { role: 'R2', reply: { taskCriteria: ['The answer states the number of letters'], subtasks: [{ intent: 'Look up tree', successCriteria: ['The tool output names the number of letters'], sequence: 0, tools: ['lookup'] }] } },
    { role: 'R3', reply: { toolCalls: [{ name: 'lookup', input: { word: 'tree' } }] } },
    { role: 'R3', reply: { status: 'completed', output: 'tree has four letters' } },
    { role: 'R4a', reply: { verdicts: [{ index: 0, verdict: 'pass', evidence: 'tree: four letters' }] } },
    { role: 'R4b', reply: { summary: 'Looked it up.', mergedOutput: 'tree has four letters', verdicts: [{ index: 0, verdict: 'pass', evidence: 'four letters' }] } },
  ]);
  const artoo = createArtoo({ models: { brain: llm, tool: llm }, tools: [lookup], ids: new CountingIds() });
  const run = artoo.run('look up tree');
  const types: string[] = [];
  for await (const event of run) if (event.type !== 'Progress') types.push(`${event.from} ${event.type}`);
  const result = await run.result;
  expect(result.summary).toBe('Looked it up.');
  expect(result).toMatchObject({ directive: 'accept', output: 'tree has four letters', replans: 0, loss: { D: 0 } });
  expect(result.usage).toMatchObject({ calls: 6, sequentialDepth: 6, toolCalls: 1 });
  expect(types).toEqual([
    'user TaskRequest', 'R1 TaskSpec', 'R2 MemoryQuery', 'R5 MemoryReply', 'R2 DispatchManifest', 'R2 SubTask', 'dispatcher SubTask',
    'R3 ExecutionResult', 'R4a SubTaskOutcome', 'R4b OutcomeSummary', 'R7 MegramWrite', 'R7 FinalResult',
  ]);
  llm.assertComplete();
  await artoo.close();
});
