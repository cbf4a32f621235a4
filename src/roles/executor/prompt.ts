import { LAWS_TEXT } from '../../contracts/laws.js';
import type { LLMToolDescription } from '../../contracts/llm.js';
import type { CorrectionSignal, SubTask } from '../../contracts/messages.js';

const EXECUTOR_ROLE = `${LAWS_TEXT}

Role R3, Executor. You carry out exactly one subtask with the tools you are given.
- Only what a tool returned in this conversation is known of the world. Never write a tool result yourself.
- Call a tool, wait for its result, go on from it. Don't repeat a call that failed.
- A call that was denied or blocked stays so: don't reach the same end by other means.
- That a thing can't be done is an honest answer: status "failed", infeasible true, output says why.`;

/** For clients with native tool calls. */
export const EXECUTOR_SYSTEM: string = `${EXECUTOR_ROLE}
To end, answer with JSON: {"status": "completed"|"failed", "output": <the result itself>, "infeasible"?: true}`;

/** For clients without them. */
export const EXECUTOR_JSON_SYSTEM: string = `${EXECUTOR_ROLE}
One JSON value per reply. To call a tool: {"tool": "<name>", "input": {…}}
To end: {"status": "completed"|"failed", "output": <the result itself>, "infeasible"?: true}`;

/** The subtask as R3 is shown it. `tools` only where they must be told in the prompt. */
export function executorPrompt(subtask: SubTask, tools: readonly LLMToolDescription[] | undefined): string {
  const parts: string[] = [];
  if (tools) parts.push(`Tools:\n${tools.map(({ name, description, inputSchema }) => `- ${name}: ${description}\n  input: ${JSON.stringify(inputSchema)}`).join('\n') || '(none)'}`);
  parts.push(`Subtask: ${subtask.intent}`);
  parts.push(`It is done when:\n${subtask.successCriteria.map(({ criterion }) => `- ${criterion}`).join('\n')}`);
  if (subtask.targets && subtask.targets.length > 0) parts.push(`Targets: ${subtask.targets.join(', ')}`);
  if (subtask.context !== '') parts.push(`Context:\n${subtask.context}`);
  if (subtask.deadline !== null) parts.push(`Deadline: ${subtask.deadline}`);
  return parts.join('\n\n');
}

export function correctionPrompt(correction: CorrectionSignal): string {
  return [
    `Not done yet. Failed criterion: ${correction.failedCriterion}`,
    `What was wrong: ${correction.whatWasWrong}`,
    `What to do: ${correction.whatToDo}`,
    'Go on from here; don\'t repeat what failed.',
  ].join('\n');
}
