import { createArtoo } from 'artoo';
import { ScriptedLLM } from 'artoo/testing';
import { expect, test } from 'vitest';

test('a planner that says nothing is left ends the run with its reason, after one call', async () => {
  const llm = new ScriptedLLM([
    { role: 'R1', reply: { slug: 'fly', intent: 'Fly to the moon.' } },
    { role: 'R2', reply: { taskCriteria: [], subtasks: [], infeasible: 'there is no rocket' } },
    { role: 'R2', reply: { moves: ['Build a rocket.'] } },
  ]);
  const result = await createArtoo({ models: { brain: llm, tool: llm } }).run('fly to the moon').result;
  expect(result).toMatchObject({ directive: 'abandon', reason: 'no_admissible_plan', nextMoves: ['Build a rocket.'] });
  expect(result.summary).toContain('there is no rocket');
  llm.assertComplete();
});

test('an empty plan without a reason is no answer, and is asked for again', async () => {
  const llm = new ScriptedLLM([
    { role: 'R1', reply: { slug: 'fly', intent: 'Fly to the moon.' } },
    { role: 'R2', times: 3, reply: { taskCriteria: ['It is on the moon'], subtasks: [] } },
    { role: 'R2', reply: { moves: ['Build a rocket.'] } },
  ]);
  const result = await createArtoo({ models: { brain: llm, tool: llm } }).run('fly to the moon').result;
  expect(result.reason).toBe('no_admissible_plan');
  llm.assertComplete();
});
