import { ArtooError, createArtoo, type ArtooOptions } from 'artoo';
import { ScriptedLLM } from 'artoo/testing';
import { expect, test } from 'vitest';

const models = { brain: new ScriptedLLM([]), tool: new ScriptedLLM([]) };
const problem = (make: () => unknown): { code: string; message: string; hint: string | undefined } => {
  try {
    make();
  } catch (error) {
    if (ArtooError.is(error)) return error;
  }
  throw new Error('nothing was refused');
};

test.each([
  ['no options', undefined, 'ARTOO_INVALID_CONFIG', 'options'],
  ['no models', {}, 'ARTOO_INVALID_CONFIG', 'models'],
  ['a tier left out', { models: { brain: models.brain } }, 'ARTOO_INVALID_CONFIG', 'tool'],
  ['a misspelt option', { models, confrim: () => 'deny' }, 'ARTOO_INVALID_CONFIG', 'confrim'],
  ['an option that this version lacks', { models, sandbox: 'bwrap' }, 'ARTOO_INVALID_CONFIG', 'sandbox'],
  ['a misspelt limit', { models, limits: { paralel: 2 } }, 'ARTOO_INVALID_CONFIG', 'paralel'],
  ['a limit that is none', { models, limits: { parallel: 0 } }, 'ARTOO_INVALID_CONFIG', 'parallel'],
  ['a hyperparameter out of range', { models, hyperparameters: { delta: 2 } }, 'ARTOO_GGS_INVALID_HYPERPARAMETER', 'delta'],
  ['an unknown hyperparameter', { models, hyperparameters: { deltta: 0.2 } }, 'ARTOO_GGS_INVALID_HYPERPARAMETER', 'deltta'],
  ['a validator that ranks below the planner', { models: { brain: new ScriptedLLM([], { rank: 2 }), tool: models.tool, R4b: new ScriptedLLM([], { rank: 1 }) } }, 'ARTOO_INVALID_CONFIG', 'R4b'],
  ['two tools of one name', { models, tools: [{ name: 'a' }, { name: 'a' }] }, 'ARTOO_TOOL_INVALID', 'tool'],
])('createArtoo with %s is refused at once, and the message names it', (_what, options, code, named) => {
  const error = problem(() => createArtoo(options as unknown as ArtooOptions));
  expect(error.code).toBe(code);
  expect(error.message).toContain(named);
  expect(error.hint).toBeTruthy();
});

test.each([
  ['an empty task', '   ', 'input'],
  ['no task', undefined, 'object'],
  ['a misspelt field', { input: 'x', critera: [] }, 'critera'],
  ['a budget that is none', { input: 'x', budget: { calls: -1 } }, 'calls'],
  ['a tool that is not there', { input: 'x', tools: ['nothing'] }, 'nothing'],
  ['a criterion without words', { input: 'x', criteria: [{}] }, 'criteria'],
  ['a signal that is none', { input: 'x', signal: {} }, 'signal'],
])('run with %s rejects both promises, and the message names it', async (_what, task, named) => {
  const run = createArtoo({ models }).run(task as string);
  await expect(run.accepted).rejects.toMatchObject({ code: 'ARTOO_INVALID_ARGUMENT' });
  await expect(run.result).rejects.toMatchObject({ message: expect.stringContaining(named) as string });
});
