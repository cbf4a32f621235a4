import { LAWS_TEXT } from '../../contracts/laws.js';
import type { Criterion } from '../../contracts/criterion.js';
import type { ExecutionResult, SubTask } from '../../contracts/messages.js';
import { fence, headTail, stringifyOutput } from '../../text/index.js';
import { describeCalls, describeCriteria, JUDGING } from '../judging/prompt-parts.js';

export const AGENT_VALIDATOR_SYSTEM: string = `${LAWS_TEXT}

Role R4a, Agent-Validator. You judge whether one subtask is done. You carry out nothing.
${JUDGING}
- An empty search result is a valid result if the search really ran on the right target.
- When something fails: whatWasWrong and whatToDo, concrete, one sentence each.
Answer with JSON: {"verdicts": [{"index", "verdict", "evidence", "failureClass"?}], "whatWasWrong"?, "whatToDo"?}`;

const RESULT_CHARACTERS = 6_000;

export function agentValidatorPrompt(subtask: SubTask, criteria: readonly (readonly [number, Criterion])[], result: ExecutionResult, date: string, nonce: string): string {
  const address = `R4a ${subtask.subtaskId} ${result.attempt}`;
  return [
    `Today: ${date.slice(0, 10)}`,
    `Subtask: ${subtask.intent}`,
    `Criteria:\n${describeCriteria(criteria)}`,
    `Tool calls:\n${fence({ label: 'tool output', text: describeCalls(result.toolCalls), nonce, address: `${address} calls` })}`,
    `Result:\n${fence({ label: 'result', text: headTail(stringifyOutput(result.output), { max: RESULT_CHARACTERS }), nonce, address: `${address} result` })}`,
  ].join('\n\n');
}
