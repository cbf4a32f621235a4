import { expect, test } from 'vitest';
import { createMemory, potentials, quantize, createDreamer, recollect, calibrate, intentPlace, toolTag, toolPlace, type Megram } from 'artoo/memory';
import { ManualClock } from '../../src/testing/manual-clock.js';
test('smoke', async () => {
  const clock = new ManualClock();
  const store = createMemory({ clock, onReport: (r) => console.log(r) });
  const ms: Megram[] = [];
  for (let i = 0; i < 20; i++) { const m: Megram = { id: `m${i}`, level: 'M', createdAt: clock.now() + i * 3600e3 * 7 - 1e8, lastRecalledAt: null, ...intentPlace('count_lines','local'), content: 'Asked: count the lines of a.txt', state: 'accept', ...quantize(i % 5 ? 'accept' : 'abandon'), origin: { taskId: 't', integrity: 'trusted', source: 'R7' } }; ms.push(m); store.append(m); }
  const at = clock.now() + 86400e3 * 7;
  console.log(await store.potentials(intentPlace('count_lines','local'), at), potentials(ms, at));
  console.log(await store.potentials(intentPlace('count_lines','local'), clock.now()), potentials(ms, clock.now()));
  console.log(await store.check());
  console.log(await store.dirtyTags(), await store.related('how many lines has b.txt'));
  const d = createDreamer({ store, clock });
  console.log(await d.dream(), await store.dirtyTags());
  console.log(await store.check());
  const r = await recollect(store, { tags: [intentPlace('count_lines','local'), toolTag('x')], intent: 'count lines', at: clock.now() });
  console.log(JSON.stringify(calibrate(r, { tools: ['x'] }), null, 1));
  await store.rebuild();
  console.log(await store.check());
  expect(1).toBe(1);
  await store.close();
});
