/**
 * A lane runs slices of one variant when told: in this process, or in a process of its own. Both have the same face, so
 * that the rounds of all variants interleave either way. No collection is forced between slices: it throws away compiled
 * code, and large libraries then run at half their speed.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { verifyVariant } from './task.mjs';
import { createVariant } from './variants.mjs';

/**
 * What a slice takes: `count` runs one after the other ({ time, cpu } in µs per run), or at once ({ time } in ms for all).
 * `cpu` is what the process had of the processors, its collector and compiler threads included: other programs make
 * `time` longer, and leave `cpu` nearly alone.
 */
async function slice(variant, { count, atOnce }) {
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  if (atOnce) {
    await Promise.all(Array.from({ length: count }, () => variant.run()));
    return { time: performance.now() - start };
  }
  for (let index = 0; index < count; index += 1) await variant.run();
  const time = ((performance.now() - start) * 1000) / count;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { time, cpu: (user + system) / count };
}

/** Opens a lane once the variant has shown that it does the five steps. */
export async function openLane(name, { latencyMs = 0, isolate = false } = {}) {
  if (!isolate) {
    const variant = await createVariant(name, { latencyMs });
    await verifyVariant(name, variant);
    return { slice: (request) => slice(variant, request), close: async () => variant.close?.() };
  }
  const child = fork(fileURLToPath(import.meta.url), [name, String(latencyMs)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  let settle;
  const answer = () => new Promise((resolve, reject) => { settle = { resolve, reject }; });
  child.on('message', (message) => (message.error ? settle.reject(new Error(message.error)) : settle.resolve(message.value)));
  child.on('exit', (code) => settle?.reject(new Error(`The process of ${name} ended with ${code}.`)));
  await answer();
  return {
    slice(request) {
      const value = answer();
      child.send(request, (error) => { if (error) settle.reject(error); });
      return value;
    },
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.send({ close: true });
      await ended;
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, latencyMs] = process.argv.slice(2);
  const say = (message) => new Promise((resolve) => process.send(message, resolve));
  try {
    const variant = await createVariant(name, { latencyMs: Number(latencyMs) });
    await verifyVariant(name, variant);
    process.on('message', async (request) => {
      try {
        if (request.close) {
          await variant.close?.();
          process.exit(0);
        }
        await say({ value: await slice(variant, request) });
      } catch (error) {
        await say({ error: `${name}: ${error.stack}` });
      }
    });
    await say({ value: 'ready' });
  } catch (error) {
    await say({ error: `${name}: ${error.stack}` });
    process.exit(1);
  }
}
