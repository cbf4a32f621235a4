import { LAWS_TEXT } from '../../contracts/laws.js';
import type { Criterion } from '../../contracts/criterion.js';
import type { SubTaskOutcome, TaskSpec } from '../../contracts/messages.js';
import { fence, headTail, stringifyOutput } from '../../text/index.js';
import { callsOf } from '../calls-of.js';
import { describeCalls, describeCriteria, JUDGING } from '../judging/prompt-parts.js';

export const META_VALIDATOR_SYSTEM: string = `${LAWS_TEXT}

Role R4b, Meta-Validator. All subtasks matched. Merge their outputs into one result and judge it.
- mergedOutput: the answer to the user's words, from the outputs alone; nothing invented, nothing lost.
- Hold it against the criteria and against the user's own words: the letter met and the intent missed is a fail.
${JUDGING}
- summary: one or two sentences for the user.
Answer with JSON: {"summary", "mergedOutput", "verdicts": [{"index", "verdict", "evidence", "failureClass"?}]}`;

const OUTPUTS_CHARACTERS = 24_000;
const CALLS_CHARACTERS = 16_000;

export function metaValidatorPrompt(spec: TaskSpec, criteria: readonly (readonly [number, Criterion])[], outcomes: readonly SubTaskOutcome[], date: string, nonce: string, round: number): string {
  const share = Math.max(400, Math.floor(OUTPUTS_CHARACTERS / Math.max(1, outcomes.length)));
  const outputs = outcomes.map((outcome) => `## ${outcome.intent ?? 'subtask'}\n${headTail(stringifyOutput(outcome.output), { max: share })}`).join('\n\n');
  return [
    `Today: ${date.slice(0, 10)}`,
    `Intent: ${headTail(spec.intent, { max: 20_000 })}`,
    `The user's words:\n${fence({ label: 'user', text: headTail(spec.rawInput, { max: 20_000 }), nonce, address: 'R4b input' })}`,
    `Criteria:\n${describeCriteria(criteria) || '(all decided by code)'}`,
    `Tool calls:\n${fence({ label: 'tool output', text: describeCalls(callsOf(outcomes), CALLS_CHARACTERS), nonce, address: `R4b ${round} calls` })}`,
    `Outputs of the subtasks:\n${fence({ label: 'outputs', text: outputs, nonce, address: `R4b ${round} outputs` })}`,
  ].join('\n\n');
}
