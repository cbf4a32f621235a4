import { LAWS_TEXT } from '../../contracts/laws.js';
import type { ContextTurn, TaskRequest } from '../../contracts/messages.js';
import { fence, headTail, stringifyOutput } from '../../text/index.js';

export const PERCEIVER_SYSTEM: string = `${LAWS_TEXT}

Role R1, Perceiver. You receive; you do not resolve.
- intent: one faithful sentence of what the user wants, in the user's language. Add nothing, keep what is vague vague, keep words of time ("today", "this year") as they are.
- slug: a short ASCII snake_case name of the kind of task, e.g. count_lines.
- constraints: scope and deadline (ISO 8601) only if the user states them, else null.
- questions: only when no reasonable reading exists; all of them at once. Never about form or detail.
A reaction ("wrong", "again") means the previous request once more; a modifier ("in French") means the previous request with that change. Never ask about these.
Answer with JSON: {"slug", "intent", "constraints": {"scope", "deadline"}, "questions": []}`;

const TURNS = 5;
const TURN_CHARACTERS = 600;

/** What R1 is shown: earlier turns, the user's words, and what was asked and answered so far. */
export function perceiverPrompt(request: TaskRequest, nonce: string, answers: readonly { readonly question: string; readonly answer: string }[], mustCommit: boolean): string {
  const parts: string[] = [];
  const turns = request.context.slice(-TURNS);
  if (turns.length > 0) parts.push(`Earlier turns, oldest first:\n${fence({ label: 'earlier turns', text: turns.map(describeTurn).join('\n---\n'), nonce, address: 'R1 context' })}`);
  parts.push(`The user's words:\n${fence({ label: 'user', text: headTail(request.input, { max: 100_000 }), nonce, address: 'R1 input' })}`);
  for (const { question, answer } of answers) parts.push(`You asked: ${question}\nThe user answered: ${answer === '' ? '(nothing: go on as you understand it)' : answer}`);
  if (mustCommit) parts.push('Ask nothing more: commit to the most reasonable reading.');
  return parts.join('\n\n');
}

function describeTurn(turn: ContextTurn): string {
  if (typeof turn === 'string') return indented(turn);
  const result = turn.output === undefined ? '' : `\nresult: ${indented(stringifyOutput(turn.output))}`;
  return `user: ${indented(turn.input)}${result}`;
}

/** Further lines are indented: nothing in a turn can look like the beginning of another. */
function indented(text: string): string {
  return headTail(text, { max: TURN_CHARACTERS }).replace(/\n/g, '\n  ');
}
