import { describe, readCanonical } from './canonical.js';
import { partOf } from './criteria.js';
import { judgeOne, requestOf, type Exhibit, type Verdict } from './judge.js';
import { criteriaOf, dataOf, readingsOf } from './prompt-text.js';
import { asMeant } from './requests.js';
import { firstLine } from './verify.js';

/** R4b's reply. */
export interface Merged { readonly summary: string; readonly mergedOutput: string; readonly verdicts: readonly Verdict[] }

const MOST_SUMMARY = 300;

/** R4b: puts the answers together as they are, and holds each task criterion against the records once more. */
export function merge(prompt: string): Merged {
  const criteria = criteriaOf(prompt);
  const asked = criteria.flatMap(({ text }) => partOf(text) ?? []).map(describe);
  const parts = inOrderOf(asked, outputsOf(dataOf(prompt, 'outputs') ?? '', asked));
  const exhibit: Exhibit = { readings: readingsOf(dataOf(prompt, 'tool output') ?? ''), answers: parts.map(({ intent, output }) => ({ request: requestOf(intent), text: output })) };
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

/**
 * `## intent` and its output, for each subtask. Outputs may hold headings too: where it is known what was asked, only
 * that is taken for an intent, each once.
 */
function outputsOf(block: string, asked: readonly string[]): { intent: string; output: string }[] {
  const parts: { intent: string; lines: string[] }[] = [];
  const lines = block.split('\n');
  lines.forEach((line, index) => {
    const title = /^## (.+)$/.exec(line)?.[1];
    const apart = index === 0 || lines[index - 1] === '';
    if (title !== undefined && apart && isIntent(title, asked) && !parts.some(({ intent }) => intent === title)) parts.push({ intent: title, lines: [] });
    else parts.at(-1)?.lines.push(line);
  });
  return parts.map((part) => ({ intent: part.intent, output: part.lines.join('\n').trim() }));
}

function isIntent(title: string, asked: readonly string[]): boolean {
  if (asked.length === 0) return true;
  const part = readCanonical(title);
  return part !== undefined && part.kind !== 'unsupported' && (part.kind === 'write report' || asked.includes(describe(asMeant(part))));
}

/** In the order of the user's words; what no criterion asks for, a report's confirmation among it, comes last. */
function inOrderOf(asked: readonly string[], parts: readonly { intent: string; output: string }[]): { intent: string; output: string }[] {
  const rank = ({ intent }: { intent: string }): number => {
    const request = requestOf(intent);
    const place = request === undefined ? -1 : asked.indexOf(describe(asMeant(request)));
    return place < 0 ? asked.length : place;
  };
  return [...parts].sort((left, right) => rank(left) - rank(right));
}
