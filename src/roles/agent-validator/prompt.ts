import { LAWS_TEXT } from '../../contracts/laws.js';
import type { Criterion } from '../../contracts/criterion.js';
import type { ExecutionResult, SubTask } from '../../contracts/messages.js';
import type { ToolCallRecord } from '../../contracts/tool-call.js';
import { fence, headTail, stringifyOutput } from '../../text/index.js';

/** How R4a and R4b are told to judge; code holds them to it. */
export const JUDGING = `- Judge each criterion alone: verdict "pass" or "fail", by its index.
- evidence: an exact quotation, copied character for character. For a criterion about the world quote tool output; for one about the result quote the result. A claim is no evidence about the world. No quotation, no pass.
- In doubt: fail.
- failureClass of a fail: "environmental" when the surroundings stood in the way (missing permission, network, absent file), else "logical".`;

export const AGENT_VALIDATOR_SYSTEM: string = `${LAWS_TEXT}

Role R4a, Agent-Validator. You judge whether one subtask is done. You carry out nothing.
${JUDGING}
- An empty search result is a valid result if the search really ran on the right target.
- When something fails: whatWasWrong and whatToDo, concrete, one sentence each.
Answer with JSON: {"verdicts": [{"index", "verdict", "evidence", "failureClass"?}], "whatWasWrong"?, "whatToDo"?}`;

const RESULT_CHARACTERS = 6_000;
/** All tool records together, in characters. */
const RECORD_CHARACTERS = 12_000;

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

export function describeCriteria(criteria: readonly (readonly [number, Criterion])[]): string {
  return criteria.map(([index, { criterion, mode, about }]) => `[${index}] (${mode}, about the ${about ?? 'world'}) ${criterion}`).join('\n');
}

/** The runtime's records of the calls, the newest whole, older ones shortened to fit. */
export function describeCalls(calls: readonly ToolCallRecord[], max = RECORD_CHARACTERS): string {
  if (calls.length === 0) return '(no tool was called)';
  const share = Math.max(200, Math.floor(max / calls.length));
  return headTail(calls.map((call) => {
    const state = call.ran === false ? 'did not run' : call.ok ? 'ok' : 'failed';
    return `${call.tool} ${headTail(stringifyOutput(call.input), { max: 300 })} [${state}]\n${headTail(call.output, { max: share })}`;
  }).join('\n---\n'), { max });
}
