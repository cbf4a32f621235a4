import { describe, readCanonical } from './canonical.js';
import { partOf } from './criteria.js';
import { judgeOne, requestOf, type Exhibit, type Verdict } from './judge.js';
import { callsOf, criteriaOf, dataOf } from './prompt-text.js';
import { asMeant } from './requests.js';
import { firstLine } from './verify.js';

/** R4b's reply. */
export interface Merged { readonly summary: string; readonly mergedOutput: string; readonly verdicts: readonly Verdict[] }

const MOST_SUMMARY = 300;

/** R4b: puts the answers together as they are, and holds each task criterion against the records once more. */
export function merge(prompt: string): Merged {
  const criteria = criteriaOf(prompt);
  const parts = inOrderOf(criteria.map(({ text }) => text), outputsOf(dataOf(prompt, 'outputs') ?? ''));
  const calls = callsOf(dataOf(prompt, 'tool output') ?? '');
  const exhibit: Exhibit = { calls, shortened: calls.some(({ cut }) => cut), answers: parts.map(({ intent, output }) => ({ request: requestOf(intent), text: output })) };
  const texts = parts.map(({ output }) => output.trim()).filter((text) => text !== '');
  const mergedOutput = texts.join(texts.some((text) => text.includes('\n')) ? '\n\n' : '\n');
  const lines = texts.map((text) => firstLine(text).replace(/:$/, '.'));
  const summary = lines.join(' ');
  return {
    summary: summary.length > MOST_SUMMARY ? `${summary.slice(0, MOST_SUMMARY)} …` : summary,
    mergedOutput,
    verdicts: criteria.map((criterion) => judgeOne(criterion, exhibit).verdict),
  };
}

/** `## intent` and its output, for each subtask. A heading inside an output is no intent unless it reads as one. */
function outputsOf(block: string): { intent: string; output: string }[] {
  const parts: { intent: string; lines: string[] }[] = [];
  for (const line of block.split('\n')) {
    const title = /^## (.+)$/.exec(line)?.[1];
    const isIntent = title !== undefined && (parts.length === 0 || (readCanonical(title) !== undefined && !parts.some(({ intent }) => intent === title)));
    if (isIntent) parts.push({ intent: title, lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  return parts.map(({ intent, lines }) => ({ intent, output: lines.join('\n').trim() }));
}

/** In the order of the user's words; outputs that no criterion asks for, a report's among them, come last. */
function inOrderOf(criteria: readonly string[], parts: readonly { intent: string; output: string }[]): { intent: string; output: string }[] {
  const asked = criteria.map((text) => partOf(text)).map((part) => part && describe(part));
  const rank = ({ intent }: { intent: string }): number => {
    const request = requestOf(intent);
    const place = request === undefined ? -1 : asked.indexOf(describe(asMeant(request)));
    return place < 0 ? asked.length : place;
  };
  return [...parts].sort((left, right) => rank(left) - rank(right));
}
