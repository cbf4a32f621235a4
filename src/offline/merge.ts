import { readCanonical } from './canonical.js';
import { judgeOne, type Exhibit, type Verdict } from './judge.js';
import { requestOf } from './judge.js';
import { callsOf, criteriaOf, dataOf, isCut } from './prompt-text.js';
import { firstLine } from './verify.js';

/** R4b's reply. */
export interface Merged { readonly summary: string; readonly mergedOutput: string; readonly verdicts: readonly Verdict[] }

const MOST_SUMMARY = 300;

/** R4b: puts the answers together as they are, and holds each task criterion against the records once more. */
export function merge(prompt: string): Merged {
  const parts = outputsOf(dataOf(prompt, 'outputs') ?? '');
  const block = dataOf(prompt, 'tool output') ?? '';
  const exhibit: Exhibit = { calls: callsOf(block), shortened: isCut(block), answers: parts.map(({ intent, output }) => ({ request: requestOf(intent), text: output })) };
  const texts = parts.map(({ output }) => output.trim()).filter((text) => text !== '');
  const mergedOutput = texts.join(texts.some((text) => text.includes('\n')) ? '\n\n' : '\n');
  const lines = texts.map((text) => firstLine(text).replace(/:$/, '.'));
  const summary = lines.join(' ');
  return {
    summary: summary.length > MOST_SUMMARY ? `${summary.slice(0, MOST_SUMMARY)} …` : summary,
    mergedOutput,
    verdicts: criteriaOf(prompt).map((criterion) => judgeOne(criterion, exhibit).verdict),
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
