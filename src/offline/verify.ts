import { methodsFor, skillsOf } from './methods.js';
import type { ShownCall } from './prompt-text.js';
import type { OfflineRequest } from './requests.js';
import { answerOf } from './work/answers.js';
import { callKey, runOver, type CallResult } from './work/procedure.js';

/** Whether a claim follows from the calls that are shown, and how that was found out. */
export type Finding = { readonly holds: true } | { readonly holds: false; readonly why: string };

/**
 * Works the answer out again from the records and compares. Where the prompt shows some records shortened, so that the
 * answer can't be worked out again, it is held to what is visible: that a call for it really succeeded.
 */
export function verify(request: OfflineRequest, claim: string, calls: readonly ShownCall[]): Finding {
  const shortened = calls.some(({ cut }) => cut);
  if (request.kind === 'write report') return { holds: true };
  const results = new Map<string, CallResult>();
  for (const { tool, input, ok, ran, output, cut } of calls) if (ran) results.set(callKey({ tool, input }), { ok, text: output, cut });
  const names = [...new Set(calls.map(({ tool }) => tool))];
  const skills = skillsOf(names.map((name) => ({ name, description: '', inputs: ['path', 'pattern'] })));
  let other: string | undefined;
  for (const method of methodsFor(request)) {
    const known = method.filter((skill) => skills.has(skill));
    if (!known.includes(method[0]!)) continue;
    const hands = { skills: new Map(known.map((skill) => [skill, skills.get(skill)!])), avoid: [] };
    const progress = runOver(answerOf(hands, request, ''), results);
    if (progress.kind !== 'done') continue;
    if (same(progress.value, claim)) return { holds: true };
    other = progress.value;
  }
  if (other !== undefined && !shortened) return { holds: false, why: `the tool output shows: ${firstLine(other)}` };
  if (shortened && calls.some(({ ok, ran }) => ok && ran)) return { holds: true };
  return { holds: false, why: calls.length === 0 ? 'no tool was called' : 'no call on record shows this' };
}

function same(left: string, right: string): boolean {
  const fold = (text: string): string => text.replace(/\s+/g, ' ').trim();
  return fold(left) === fold(right);
}

export function firstLine(text: string): string {
  return text.split('\n').find((line) => line.trim() !== '')?.trim() ?? '';
}
