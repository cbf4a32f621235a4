import { ArtooError } from '../../contracts/errors.js';
import type { LLMClient } from '../../contracts/llm.js';
import type { NextMoves, NextMovesRequest } from '../../contracts/messages.js';
import type { TaskRuntime } from '../../contracts/runtime.js';
import { askStructured } from '../../llm/ask-structured.js';
import { fence, headTail } from '../../text/index.js';
import { MOST_MOVES, templateMoves } from '../template-moves.js';
import { NEXT_MOVES } from '../reply-schemas.js';
import { NEXT_MOVES_SYSTEM } from './prompt.js';


/** Asks the model for next moves within what is left of the budget; the template stands in when that fails. */
export async function suggestNextMoves(llm: LLMClient, task: TaskRuntime, request: NextMovesRequest): Promise<NextMoves> {
  const template: NextMoves = { moves: templateMoves(request), from: 'template' };
  if (!task.canCall('R2')) return template;
  const facts = [
    `Why it ended: ${request.reason}`,
    `Done:\n${request.done.map((line) => `- ${headTail(line, { max: 300 })}`).join('\n') || '- nothing'}`,
    `Failed:\n${request.failed.map(({ what, why }) => `- ${what}: ${headTail(why, { max: 300 })}`).join('\n') || '- nothing in particular'}`,
  ].join('\n');
  try {
    const { value } = await askStructured(llm, NEXT_MOVES, {
      role: 'R2', taskId: task.taskId, system: NEXT_MOVES_SYSTEM,
      messages: [{
        role: 'user',
        content: `The user's words:\n${fence({ label: 'user', text: headTail(request.taskSpec.rawInput, { max: 4_000 }), nonce: task.nonce, address: 'R2 moves input' })}\n\n` +
          fence({ label: 'what happened', text: facts, nonce: task.nonce, address: 'R2 moves facts' }),
      }],
    }, { signal: task.signal });
    return { moves: value.moves.slice(0, MOST_MOVES), from: 'model' };
  } catch (error) {
    if (ArtooError.is(error, 'ARTOO_LEDGER_WRITE') || ArtooError.is(error, 'ARTOO_STORE_FULL')) throw error;
    return template;
  }
}
