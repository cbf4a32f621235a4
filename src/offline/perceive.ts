import { readRequests } from './english/read-requests.js';
import { followUp } from './follow-up.js';
import { dataOf } from './prompt-text.js';

/** R1's reply: the words as they are, with what earlier turns make of them. Nothing is added, nothing asked. */
export function perceive(prompt: string): object {
  const words = dataOf(prompt, 'user') ?? '';
  const intent = followUp(words, turnsOf(dataOf(prompt, 'earlier turns') ?? ''));
  return { slug: slugOf(intent), intent, constraints: { scope: null, deadline: null }, questions: [] };
}

/** The user's side of the earlier turns. */
function turnsOf(block: string): string[] {
  if (block.trim() === '') return [];
  return block.split('\n---\n').map((turn) => /^user: ([\s\S]*?)(?=\nresult: |$)/.exec(turn)?.[1] ?? turn);
}

function slugOf(intent: string): string {
  const kinds = readRequests(intent).map(({ part }) => part.kind.replaceAll(' ', '_'));
  return [...new Set(kinds)].join('_and_');
}
