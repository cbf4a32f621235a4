import type { Embed } from '../../contracts/memory.js';
import type { Clock } from '../../contracts/runtime.js';
import { runWithTimeout } from '../../signals/index.js';

const MOST_CACHED = 2_000;

/**
 * The host's embedding, with an end: all texts of one question share one time limit, and a text that was embedded once
 * is not embedded again. Numbers that are none reject.
 */
export class BoundedEmbed {
  private readonly cache = new Map<string, readonly number[]>();

  constructor(private readonly embed: Embed, private readonly clock: Clock, private readonly limitMs: number) {}

  /** The function for one question. */
  forOneQuestion(signal: AbortSignal): Embed {
    const end = this.clock.monotonic() + this.limitMs;
    return async (text) => {
      const known = this.cache.get(text);
      if (known) return known;
      const vector: unknown = await runWithTimeout({
        clock: this.clock, ms: Math.max(0, end - this.clock.monotonic()), signal, run: async () => this.embed(text),
        onTimeout: () => new Error(`it took longer than ${this.limitMs} ms`),
      });
      if (!Array.isArray(vector) || !vector.every((value) => Number.isFinite(value))) throw new TypeError('it returned no list of numbers');
      if (this.cache.size >= MOST_CACHED) this.cache.clear();
      this.cache.set(text, vector as readonly number[]);
      return vector as readonly number[];
    };
  }
}
