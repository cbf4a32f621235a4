import type { RoleId, StopReason } from 'artoo/contracts';
import { describe, expect, test } from 'vitest';
import { broken, unusable } from './replies.js';
import { finals, Model, never, play, type Answer, type Played } from './scene.js';

const ROLES: readonly RoleId[] = ['R1', 'R2', 'R3', 'R4a', 'R4b'];
const CALLS = 150;
/** How a run may end that a useless model has spoiled: the controller gave up, or no plan could be had. */
const GAVE_UP: readonly (StopReason | undefined)[] = ['omega', 'replan_budget', 'law2_divergence', 'no_admissible_plan'];

/** One FinalResult and nothing after it, every call granted and counted, nothing left behind. */
async function assertCleanEnd(played: Played, most = CALLS): Promise<NonNullable<Played['result']>> {
  const { result, error, bus, clock, model, artoo } = played;
  expect(error).toBeUndefined();
  expect(finals(bus)).toHaveLength(1);
  expect(bus.types({ except: ['Progress'] }).at(-1)).toBe('FinalResult');
  expect(finals(bus)[0]!.payload).toBe(result);
  expect(result!.usage.calls).toBe(model.requests.length);
  expect(result!.usage.calls).toBeLessThanOrEqual(most);
  expect(result!.directive === 'abandon').toBe(result!.output === null);
  expect(result!.directive === 'abandon').toBe(result!.reason !== undefined);
  if (result!.directive === 'abandon') expect(result!.nextMoves.length).toBeGreaterThan(0);
  await artoo.close();
  expect(clock.pending).toBe(0);
  return result!;
}

test('the scene itself is carried through: what fails below fails by its own doing', async () => {
  const result = await assertCleanEnd(await play());
  expect(result).toMatchObject({ directive: 'accept', output: 'tree has four letters', usage: { calls: 6 } });
});

const limits = { callTimeoutMs: 1_000, callRetries: 1 };

for (const role of ROLES) {
  describe(`${role}'s model`, () => {
    test.each(unusable)('answers with %s', async (name, answer) => {
      const played = await play({ model: new Model({ [role]: answer }), run: { budget: { calls: CALLS }, limits } });
      const result = await assertCleanEnd(played);
      // The user's words stand in for a reading that can't be used; everything else is missed.
      if (role === 'R1' && name !== 'a withheld reply') {
        expect(result).toMatchObject({ directive: 'accept', output: 'tree has four letters' });
        expect(result.summary).toMatch(/reading of the task was unusable/);
      } else {
        expect(result.directive).toBe('abandon');
        expect([...GAVE_UP, 'role_failure']).toContain(result.reason);
        if (result.reason === 'role_failure') expect(result.summary).toMatch(/content filter/i);
      }
    });

    test.each(broken)('hands over %s', async (_name, answer) => {
      const played = await play({ model: new Model({ [role]: answer }), run: { budget: { calls: CALLS }, limits } });
      const result = await assertCleanEnd(played);
      expect(result.directive).toBe('abandon');
      expect(role === 'R1' || role === 'R2' ? ['role_failure'] : GAVE_UP).toContain(result.reason);
    });

    test('never answers', async () => {
      const played = await play({ model: new Model({ [role]: never }), run: { budget: { calls: CALLS }, limits }, stepMs: 500 });
      const result = await assertCleanEnd(played);
      expect(result.directive).toBe('abandon');
      expect(role === 'R1' || role === 'R2' ? ['role_failure'] : GAVE_UP).toContain(result.reason);
      // Each call was tried as often as the limits say, and not longer than they say.
      const asked = played.model.of(role);
      const first = asked.filter((request) => request.subtaskId === asked[0]!.subtaskId && request.messages[0]!.content === asked[0]!.messages[0]!.content);
      expect(first).toHaveLength(2);
    });

    test.each([...unusable, ...broken].filter((_, index) => index % 3 === 0))('answers with %s within five calls', async (_name, answer) => {
      const played = await play({ model: new Model({ [role]: answer }), run: { budget: { calls: 5 }, limits } });
      await assertCleanEnd(played, 5);
    });
  });
}

test.each<[string, Answer]>([['nonsense', () => 'nonsense'], ['nothing, ever', never], ['a throw', () => { throw new Error('no'); }]])('a model that answers every role with %s ends the run', async (_name, answer) => {
  const played = await play({ model: new Model(Object.fromEntries(ROLES.map((role) => [role, answer]))), run: { budget: { calls: CALLS }, limits } });
  const result = await assertCleanEnd(played);
  expect(result).toMatchObject({ directive: 'abandon', output: null });
});

test('a model without native tools and schemas is no obstacle to any of this', async () => {
  for (const [, answer] of unusable) {
    for (const role of ROLES) {
      const model = new Model({ R3: (request) => (request.messages.length === 1 ? { tool: 'lookup', input: { word: 'tree' } } : { status: 'completed', output: 'tree has four letters' }), [role]: answer }, {});
      await assertCleanEnd(await play({ model, run: { budget: { calls: CALLS }, limits } }));
    }
  }
});
