import type { LLMRequest, LLMToolCall } from '../contracts/llm.js';
import { readCanonical } from './canonical.js';
import { headingOf } from './criteria.js';
import { readConversation, type ReadConversation } from './conversation.js';
import { CANNOT, FAMILY, readRequests } from './english/read-requests.js';
import { methodsFor, skillsOf, type Skill } from './methods.js';
import type { Part } from './requests.js';
import { answerOf } from './work/answers.js';
import { runOver, type Call } from './work/procedure.js';

/** R3's next turn: calls to make, or the end. */
export type Turn =
  | { readonly kind: 'calls'; readonly calls: readonly LLMToolCall[]; readonly native: boolean }
  | { readonly kind: 'end'; readonly status: 'completed' | 'failed'; readonly output: string; readonly infeasible: boolean };

/** Works the subtask out over what the conversation shows; whatever isn't shown there is asked for by a call. */
export function execute(request: LLMRequest): Turn {
  const conversation = readConversation(request);
  const part = partOf(conversation.intent);
  if (part.kind === 'unsupported') return failed(part.why === '' ? FAMILY : part.why);
  const skills = skillsOf(conversation.tools);
  const ways = methodsFor(part).filter((method) => method.every((skill) => skills.has(skill)));
  // Each correction asks for another way than the one that was not good enough.
  const method = differing(ways)[conversation.corrections];
  if (!method) return failed(ways.length === 0 ? `${CANNOT}: none of the tools of this subtask serves to ${part.kind}.` : `With the tools of this subtask there is no other way to ${part.kind}.`);
  const hands = { skills: new Map(method.map((skill) => [skill, skills.get(skill)!])), avoid: conversation.avoid };
  const progress = runOver(answerOf(hands, part, reportOf(conversation)), conversation.results);
  switch (progress.kind) {
    case 'done': return { kind: 'end', status: 'completed', output: progress.value, infeasible: false };
    case 'unable': return failed(`Not done: ${progress.why}`);
    default: return conversation.mustEnd ? failed('Not done: the tool calls of this attempt are spent.') : { kind: 'calls', calls: progress.calls.map(asCall), native: conversation.native };
  }
}

function partOf(intent: string): Part {
  const canonical = readCanonical(intent);
  if (canonical) return canonical;
  const [first, ...more] = readRequests(intent);
  return first && more.length === 0 ? first.part : { kind: 'unsupported', words: intent, why: `${CANNOT}: the subtask asks for several things at once.` };
}

/** Ways that begin with another tool. */
function differing(ways: readonly (readonly Skill[])[]): readonly (readonly Skill[])[] {
  const seen = new Set<Skill>();
  return ways.filter(([first]) => !seen.has(first!) && seen.add(first!));
}

function failed(output: string): Turn {
  return { kind: 'end', status: 'failed', output, infeasible: true };
}

function asCall({ tool, input }: Call, index: number): LLMToolCall {
  return { id: `call-${index + 1}`, name: tool, input };
}

function reportOf({ earlier }: ReadConversation): string {
  if (earlier.length === 0) return '';
  return `# Report\n\n${earlier.map(({ intent, output }) => `${titleOf(intent)}\n\n${output.trim()}\n`).join('\n')}`;
}

function titleOf(intent: string): string {
  const part = readCanonical(intent);
  return part && part.kind !== 'unsupported' ? headingOf(part) : `## ${intent}`;
}
