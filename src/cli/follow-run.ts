import type { FinalResult, Run } from '../index.js';
import type { CommandOptions } from './arguments.js';
import { EXIT } from './exit-codes.js';
import { messageLine } from './message-line.js';
import type { Terminal } from './terminal.js';

/** Shows a run as it goes and its result at the end. Returns the exit code; rejects where there is no result. */
export async function followRun(run: Run, options: CommandOptions, terminal: Terminal): Promise<{ readonly code: number; readonly result: FinalResult }> {
  for await (const event of run) {
    const line = messageLine(event, options.verbose);
    if (line !== undefined) terminal.trace(line);
  }
  const result = await run.result;
  if (options.json) terminal.json(result);
  else if (result.output !== null && result.output !== undefined) terminal.answer(asText(result.output));
  for (const line of remarks(result)) terminal.say(line);
  return { code: codeOf(result), result };
}

export function codeOf(result: FinalResult): number {
  if (result.directive !== 'abandon') return EXIT.done;
  return result.reason === 'aborted' ? EXIT.interrupted : EXIT.abandoned;
}

/** What the answer alone doesn't say. */
function remarks(result: FinalResult): string[] {
  const lines = result.lawEvents.filter(({ law, decision }) => law === 1 && !/^(?:allow|allow-for-task|standing)$/.test(decision)).map(({ what }) => `[LAW1] Not done: ${what}.`);
  if (result.directive === 'accept') return lines;
  lines.push(result.summary);
  const byReason = new Map<string, string[]>();
  for (const { criterion, why } of result.unmet) byReason.set(why, [...(byReason.get(why) ?? []), criterion]);
  if (byReason.size > 0) lines.push('Unmet:', ...[...byReason].map(([why, criteria]) => `  - ${criteria.join('; ')}: ${why}`));
  if (result.partial && result.partial.length > 0) lines.push('Partial result:', ...result.partial.map(({ intent, output }) => `  - ${intent}: ${asText(output).replaceAll('\n', '\n    ')}`));
  if (result.nextMoves.length > 0) lines.push('Next moves:', ...result.nextMoves.map((move) => `  - ${move}`));
  return lines;
}

/** Texts as they are, everything else as JSON. */
export function asText(output: unknown): string {
  return typeof output === 'string' ? output : (JSON.stringify(output, null, 2) ?? '');
}
