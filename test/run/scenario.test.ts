import { createArtoo } from 'artoo';
import { expect, test } from 'vitest';
import { scenarioModel, scenarioOptions, World } from './scenario.js';

test('a correction, a failed round, a directive and kept work lead to an accepted result', async () => {
  const world = new World();
  const llm = scenarioModel();
  const artoo = createArtoo(scenarioOptions(world, llm));
  const run = artoo.run('sum the files');
  const events = [];
  for await (const event of run) events.push(event);
  const result = await run.result;
  expect(result).toMatchObject({ directive: 'accept', output: 'The sum is 8', replans: 1, prevDirective: 'change_path' });
  expect(world.writes).toEqual(['c.txt', 'sum.txt']);
  const directive = events.find(({ type }) => type === 'PlanDirective');
  expect(directive?.payload).toMatchObject({ directive: 'change_path', blockedTargets: ['z.txt'], prevDirective: 'init' });
  expect(events.filter(({ type }) => type === 'CorrectionSignal')).toHaveLength(1);
  const seqs = events.flatMap(({ seq }) => seq ?? []);
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  await artoo.close();
});
