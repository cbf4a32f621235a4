import type { NextMovesRequest } from '../contracts/messages.js';
import { headTail } from '../text/index.js';

/** A handful helps; a list is read by nobody. */
export const MOST_MOVES = 3;

/** Suggestions by rule: what can be said without a model. Never empty. */
export function templateMoves(request: Pick<NextMovesRequest, 'done' | 'failed' | 'reason'>): string[] {
  const moves = request.failed.slice(0, 2).map(({ what, why }) => `Look into "${what}": ${headTail(why, { max: 200 })}`);
  if (/budget|deadline|time/i.test(request.reason)) moves.push('Run the task again with a larger budget, or split it into smaller tasks.');
  else if (request.failed.length > 0) moves.push('Run the task again once that is settled, naming the file, path or tool to use.');
  if (request.done.length > 0) moves.push('Use the partial result: what it holds was verified.');
  if (moves.length === 0) moves.push('Say the task in other words, with the paths or sources it is about.', 'Check that the tools it needs are registered.');
  return moves.slice(0, MOST_MOVES);
}
