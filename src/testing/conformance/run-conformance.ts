import { ArtooError } from '../../contracts/errors.js';
import type { ConformanceCase, ConformanceSuite } from './case.js';

/** Options of {@link runConformance}. */
export interface ConformanceOptions {
  /** What the adapter can't do: `false` or, better, the reason in words. What isn't named is supported. */
  readonly supports?: Readonly<Record<string, boolean | string>>;
  /** Gets a line for each rule that was skipped; default `console.log`. */
  readonly print?: (line: string) => void;
  /** A rule that takes longer has failed; default 20,000 ms. */
  readonly timeoutMs?: number;
}

/** How one rule fared. `reason` says why it was skipped. */
export type ConformanceResult =
  | { readonly name: string; readonly status: 'passed' }
  | { readonly name: string; readonly status: 'failed'; readonly error: unknown }
  | { readonly name: string; readonly status: 'skipped'; readonly reason: string };

/**
 * Runs a suite, one rule after the other, and returns how each fared. Never rejects for a broken rule.
 *
 * @example
 * import { runConformance, ledgerConformance } from 'artoo/testing';
 * const results = await runConformance(ledgerConformance, () => createMyLedger(), { supports: { reopen: 'in RAM' } });
 * const failed = results.filter(({ status }) => status === 'failed');
 */
export async function runConformance<Factory>(
  suite: ConformanceSuite<Factory>,
  factory: Factory,
  options: ConformanceOptions = {},
): Promise<readonly ConformanceResult[]> {
  const { supports = {}, print = (line) => console.log(line), timeoutMs = 20_000 } = options;
  const results: ConformanceResult[] = [];
  for (const rule of suite) {
    const needs = typeof rule.needs === 'string' ? [rule.needs] : rule.needs ?? [];
    const missing = needs.find((need) => Object.hasOwn(supports, need) && supports[need] !== true);
    if (missing === undefined) {
      results.push(await runRule(rule, factory, timeoutMs));
      continue;
    }
    const said = supports[missing];
    const reason = `needs ${missing}${typeof said === 'string' ? `: ${said}` : ', which this adapter does not support'}`;
    print(`skipped: ${rule.name} (${reason})`);
    results.push({ name: rule.name, status: 'skipped', reason });
  }
  return results;
}

async function runRule<Factory>(rule: ConformanceCase<Factory>, factory: Factory, timeoutMs: number): Promise<ConformanceResult> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ArtooError('ARTOO_CONFORMANCE', `"${rule.name}" did not end within ${timeoutMs} ms.`, {
      hint: 'Something that the rule waits for never settles.',
    })), timeoutMs);
  });
  try {
    await Promise.race([rule.run(factory), tooLong]);
    return { name: rule.name, status: 'passed' };
  } catch (error) {
    return { name: rule.name, status: 'failed', error };
  } finally {
    clearTimeout(timer);
  }
}
