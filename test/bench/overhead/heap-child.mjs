/** One variant in its own process: how much more heap is in use after many finished runs than before them. */
import { verifyVariant } from './task.mjs';
import { createVariant } from './variants.mjs';

const [name, runs] = [process.argv[2], Number(process.argv[3])];
const WARM_RUNS = 2_000;

/** Bytes in use once nothing more is let go, buffers outside of V8's heap included: some keep their records in them. */
async function settledHeap() {
  let before = Infinity;
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await new Promise((resolve) => { setTimeout(resolve, 10); });
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    const now = heapUsed + external;
    if (before - now < 10_000) return Math.min(before, now);
    before = now;
  }
  return before;
}

const variant = await createVariant(name);
await verifyVariant(name, variant);
for (let index = 0; index < WARM_RUNS; index += 1) await variant.run();
const start = await settledHeap();
for (let index = 0; index < runs; index += 1) await variant.run();
const end = await settledHeap();
await variant.close?.();
process.stdout.write(`${JSON.stringify({ keptBytes: end - start, runs })}\n`, () => process.exit(0));
