import type { LawEvent, SubTaskOutcome } from '../../contracts/messages.js';
import type { ToolCallRecord } from '../../contracts/tool-call.js';
import { callsOf } from '../calls-of.js';
import { plainLine } from '../../mkct/plain.js';

/** One thing about the surroundings: the name it is kept under, and what is known of it. */
export interface Knowledge { readonly thing: string; readonly content: string }

const MOST_KNOWLEDGE = 5;
/** Of one kind, so that one kind leaves room for the others. */
const MOST_OF_A_KIND = 3;
const LONGEST_NAME = 200;
const MOST_CALLS = 500;
const MOST_COMPARED = 60;
const LEAST_NAME = 3;

/** What shells and systems say of a program that isn't there. */
const NO_COMMAND = [
  /\bcommand not found: ([\w.+-]{1,60})/,
  /(?:^|[\s:])([\w.+-]{1,60}): (?:command )?not found\b/m,
  /\bspawn ([\w./+-]{1,120}) ENOENT\b/,
  /'([\w.+-]{1,60})' is not recognized as an internal or external command/,
];
const ANSWERS: ReadonlyMap<string, string> = new Map([
  ['allow', 'allowed'], ['allow-for-task', 'allowed for a whole task'], ['deny', 'denied'], ['nobody', 'could not be confirmed: nobody was there'],
]);

/**
 * What a run learned about its surroundings, apart from whether it succeeded: what the host answered, which tools and
 * programs are missing, and under which name something was found that had another one in the plan. At most five.
 */
export function knowledgeFrom(facts: { readonly outcomes: readonly SubTaskOutcome[]; readonly lawEvents: readonly LawEvent[]; readonly tools: readonly string[] }): readonly Knowledge[] {
  const calls = callsOf(facts.outcomes).slice(0, MOST_CALLS);
  const kinds = [answersOf(facts.lawEvents), missingIn(calls, facts.tools), resolvedIn(calls)];
  const known = new Map<string, Knowledge>();
  for (const kind of kinds) for (const item of kind.slice(0, MOST_OF_A_KIND)) known.set(item.thing, item);
  return [...known.values()].slice(0, MOST_KNOWLEDGE);
}

function answersOf(events: readonly LawEvent[]): Knowledge[] {
  const answers = new Map<string, Knowledge>();
  for (const { law, decision, tool, target } of events) {
    const said = ANSWERS.get(decision);
    if (law !== 1 || said === undefined || tool === undefined) continue;
    const thing = `approval:${tool}`;
    answers.set(thing, { thing, content: `A call of ${quoted(tool)}${target === undefined ? '' : ` on ${quoted(target)}`} that needed a confirmation ${decision === 'nobody' ? said : `was ${said} by the host`}.` });
  }
  return [...answers.values()];
}

function missingIn(calls: readonly ToolCallRecord[], tools: readonly string[]): Knowledge[] {
  const missing = new Map<string, Knowledge>();
  for (const { tool, ran, ok, output } of calls) {
    if (ran === false && !tools.includes(tool)) {
      const thing = `tool:${plainLine(tool, LONGEST_NAME)}`;
      missing.set(thing, { thing, content: `There is no tool ${quoted(tool)} here. There are: ${tools.map(quoted).join(', ') || 'none'}.` });
    }
    if (ok || ran === false) continue;
    const program = NO_COMMAND.map((pattern) => pattern.exec(output)?.[1]).find((name) => name !== undefined);
    if (program !== undefined) missing.set(`program:${program}`, { thing: `program:${program}`, content: `The program ${quoted(program)} is not installed here.` });
  }
  return [...missing.values()];
}

/** A name that failed, with the one that its own error named and that worked later. */
function resolvedIn(calls: readonly ToolCallRecord[]): Knowledge[] {
  const resolved = new Map<string, Knowledge>();
  const ran = calls.filter((call) => call.ran !== false);
  const worked = ran.filter(({ ok, empty, target }) => ok && empty !== true && target.length >= LEAST_NAME).slice(-MOST_COMPARED);
  for (const failed of ran.filter(({ ok, empty }) => !ok || empty === true).slice(0, MOST_COMPARED)) {
    const found = worked.find(({ target, startedAt }) => target !== failed.target && startedAt >= failed.startedAt && names(failed.output, target));
    if (found) {
      const thing = `path:${plainLine(failed.target, LONGEST_NAME)}`;
      resolved.set(thing, { thing, content: `${quoted(failed.target)} was not there; ${quoted(found.target)} was, with the tool ${quoted(found.tool)}.` });
    }
  }
  return [...resolved.values()];
}

/** Does a tool's output name that target, whole or by its last part? */
function names(output: string, target: string): boolean {
  const last = target.split(/[\\/]/).at(-1) ?? '';
  return output.includes(target) || (last.length >= LEAST_NAME && output.includes(last));
}

function quoted(name: string): string {
  return JSON.stringify(plainLine(name, LONGEST_NAME));
}
