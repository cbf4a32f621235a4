import type { Check } from '../../contracts/criterion.js';
import type { FailureClass, RoleId } from '../../contracts/names.js';
import type { TaskRuntime } from '../../contracts/runtime.js';
import type { Workspace } from '../../contracts/tool.js';
import type { ToolCallRecord } from '../../contracts/tool-call.js';
import { canonicalJson, headTail, stringifyOutput } from '../../text/index.js';
import { readPath } from './json-path.js';

/** What a check may look at. */
export interface CheckContext {
  readonly output: unknown;
  readonly toolCalls: readonly ToolCallRecord[];
  readonly workspace: Workspace | undefined;
}
/** `evidence` says what was found, whichever way it went. */
export interface CheckResult { readonly pass: boolean; readonly evidence: string; readonly failureClass?: FailureClass }
/** A host's own check. May be async; a throw counts as a failed check, class environmental. */
export type CheckFunction = (check: Check, context: CheckContext) => CheckResult | Promise<CheckResult>;
export type Checks = Readonly<Record<string, CheckFunction>>;

const EVIDENCE_CHARACTERS = 200;
const MOST_PATTERN_INPUT = 100_000;

/** Decides a criterion by code. What it reads from the world is recorded as an effect of the role that asks. */
export async function runCheck(check: Check, context: CheckContext, from: { readonly task: TaskRuntime; readonly role: RoleId; readonly subtaskId?: string; readonly own?: Checks | undefined }): Promise<CheckResult> {
  const own = from.own && Object.hasOwn(from.own, check.type) ? from.own[check.type] : undefined;
  const onRecord = (live: () => Promise<CheckResult>): Promise<CheckResult> =>
    from.task.effect({ role: from.role, subtaskId: from.subtaskId, kind: 'check' }, check, live);
  try {
    if (own) return await onRecord(async () => own(check, context));
    switch (check.type) {
      case 'fileExists':
      case 'fileContains':
        return await onRecord(() => checkFile(check, context.workspace));
      case 'toolSucceeded':
        return checkTool(check, context.toolCalls);
      default:
        return checkOutput(check, context.output);
    }
  } catch (error) {
    if (from.task.signal.aborted) throw error;
    return { pass: false, evidence: `the check could not be made: ${error instanceof Error ? error.message : String(error)}`, failureClass: 'environmental' };
  }
}

async function checkFile(check: Check, workspace: Workspace | undefined): Promise<CheckResult> {
  const path = text(check, 'path');
  if (!workspace) return { pass: false, evidence: 'no workspace was given to look for files in', failureClass: 'environmental' };
  if (!(await workspace.exists(path))) return { pass: false, evidence: `${path} does not exist`, failureClass: 'logical' };
  if (check.type === 'fileExists') return { pass: true, evidence: `${path} exists` };
  const wanted = text(check, 'text');
  const content = await workspace.readText(path);
  return content.includes(wanted)
    ? { pass: true, evidence: `${path} contains "${short(wanted)}"` }
    : { pass: false, evidence: `${path} does not contain "${short(wanted)}"`, failureClass: 'logical' };
}

function checkTool(check: Check, toolCalls: readonly ToolCallRecord[]): CheckResult {
  const tool = text(check, 'tool');
  const target = check['target'];
  const calls = toolCalls.filter((call) => call.tool === tool && (target === undefined || call.target === target));
  const success = calls.find((call) => call.ok && call.ran !== false);
  if (success) return { pass: true, evidence: `${tool} on ${short(success.target)} succeeded: ${success.evidence}` };
  const last = calls.at(-1);
  return last
    ? { pass: false, evidence: `${tool} failed: ${last.evidence}`, failureClass: last.failureClass ?? 'logical' }
    : { pass: false, evidence: `${tool} was not called`, failureClass: 'logical' };
}

function checkOutput(check: Check, output: unknown): CheckResult {
  const asText = stringifyOutput(output);
  const verdict = (pass: boolean, what: string): CheckResult =>
    pass ? { pass, evidence: what } : { pass, evidence: what, failureClass: 'logical' };
  switch (check.type) {
    case 'outputMatches': {
      const pattern = new RegExp(text(check, 'pattern'), typeof check['flags'] === 'string' ? check['flags'] : '');
      return verdict(pattern.test(headTail(asText, { max: MOST_PATTERN_INPUT })), `the output is "${short(asText)}"`);
    }
    case 'outputEquals': {
      const { value } = check;
      const equal = typeof value === 'string' ? asText.trim() === value.trim() : canonicalJson(parsed(output)) === canonicalJson(value);
      return verdict(equal, `the output is "${short(asText)}"`);
    }
    case 'jsonPath': {
      const path = text(check, 'path');
      const found = readPath(parsed(output), path);
      if (!('equals' in check)) return verdict(found !== undefined, `${path} is ${short(stringifyOutput(found))}`);
      return verdict(found !== undefined && canonicalJson(found) === canonicalJson(check['equals']), `${path} is ${short(stringifyOutput(found))}`);
    }
    case 'numberInRange': {
      const found = typeof check['path'] === 'string' ? readPath(parsed(output), check['path']) : firstNumber(output, asText);
      const number = typeof found === 'string' ? Number(found) : found;
      const min = typeof check['min'] === 'number' ? check['min'] : -Infinity;
      const max = typeof check['max'] === 'number' ? check['max'] : Infinity;
      return verdict(typeof number === 'number' && number >= min && number <= max, `the number is ${String(found)}`);
    }
    default:
      throw new Error(`there is no check "${check.type}"`);
  }
}

function text(check: Check, key: string): string {
  const value = check[key];
  if (typeof value !== 'string' || value === '') throw new Error(`${check.type} needs a text "${key}"`);
  return value;
}

/** The first number of the answer, thousands separators read over. */
function firstNumber(output: unknown, asText: string): number | undefined {
  if (typeof output === 'number') return output;
  const match = /-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?/.exec(asText);
  return match ? Number(match[0].replaceAll(',', '')) : undefined;
}

/** A text that is JSON counts as what it says. */
function parsed(output: unknown): unknown {
  if (typeof output !== 'string') return output;
  try {
    return JSON.parse(output) as unknown;
  } catch {
    return output;
  }
}

function short(value: string): string {
  return headTail(value, { max: EVIDENCE_CHARACTERS });
}
