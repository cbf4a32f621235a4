import type { Criterion, CriterionVerdict } from '../../contracts/criterion.js';
import type { FailureClass } from '../../contracts/names.js';
import type { ToolCallRecord } from '../../contracts/tool-call.js';
import { findQuote, normalizeForQuote } from '../../text/index.js';
import type { ModelVerdict } from './verdict-schema.js';

/** Where quotations are looked up. */
export interface Corpora {
  /** Tool output, as recorded. */
  readonly calls: readonly ToolCallRecord[];
  /** The answer itself, as text. */
  readonly result: readonly string[];
  /** Look-ups made before: a verdict is looked at when it comes and again when it is settled. */
  readonly found: Map<string, boolean>;
}

/** Where the quotations of one judgement are looked up. `result` is the answer as text. */
export function corporaOf(calls: readonly ToolCallRecord[], result: string): Corpora {
  return { calls, result: [result], found: new Map() };
}

/** The model's verdict on each criterion, in the order of `criteria`; undefined where it gave none. */
export function matchVerdicts(criteria: readonly (readonly [number, Criterion])[], verdicts: readonly ModelVerdict[]): (ModelVerdict | undefined)[] {
  return criteria.map(([index, { criterion }]) =>
    // Where a model judged one criterion twice and not alike, the fail holds.
    worst(verdicts.filter((verdict) => (typeof verdict.criterion === 'string' && sameText(verdict.criterion, criterion))
      || (verdict.index === index && (typeof verdict.criterion !== 'string' || !criteria.some(([, other]) => sameText(verdict.criterion!, other.criterion)))))));
}

function worst(verdicts: readonly ModelVerdict[]): ModelVerdict | undefined {
  return verdicts.find(({ verdict }) => verdict === 'fail') ?? verdicts[0];
}

function sameText(left: string, right: string): boolean {
  return normalizeForQuote(left) === normalizeForQuote(right);
}

/** What the model has to say again: passes whose quotation isn't there, fails without a class. Undefined when nothing. */
export function findUnsupported(criteria: readonly (readonly [number, Criterion])[], verdicts: readonly ModelVerdict[], corpora: Corpora): string | undefined {
  const problems: string[] = [];
  const matched = matchVerdicts(criteria, verdicts);
  criteria.forEach(([index, criterion], place) => {
    const verdict = matched[place];
    if (!verdict) problems.push(`criterion ${index} has no verdict`);
    else if (verdict.verdict === 'pass' && !isSupported(verdict, criterion, corpora)) {
      problems.push(`criterion ${index}: the evidence is not found in the ${criterion.about === 'result' ? 'result' : 'tool output'}; quote exactly, or fail it`);
    } else if (verdict.verdict === 'fail' && classOf(verdict) === undefined) problems.push(`criterion ${index}: failureClass must be "logical" or "environmental"`);
  });
  return problems.length === 0 ? undefined : problems.join('\n');
}

/** The verdicts that count: a pass without its quotation is a fail, and every fail has a class. */
export function settleVerdicts(criteria: readonly (readonly [number, Criterion])[], verdicts: readonly ModelVerdict[], corpora: Corpora): CriterionVerdict[] {
  const matched = matchVerdicts(criteria, verdicts);
  return criteria.map(([, criterion], place) => {
    const verdict = matched[place];
    if (!verdict) return failedVerdict(criterion, 'no verdict was given', 'logical');
    const evidence = verdict.evidence?.trim() ?? '';
    if (verdict.verdict === 'pass') {
      return isSupported(verdict, criterion, corpora)
        ? passedVerdict(criterion, evidence, 'model')
        : failedVerdict(criterion, `unsupported evidence: "${evidence}"`, 'logical');
    }
    return failedVerdict(criterion, evidence, failedClass(verdict, corpora.calls));
  });
}

/** A pass whose evidence was found. */
export function passedVerdict(criterion: Criterion, evidence: string, by: CriterionVerdict['by'] & string): CriterionVerdict {
  return { verdict: 'pass', evidence, by, ...basics(criterion) };
}

/** A fail made or confirmed by code. */
export function failedVerdict(criterion: Criterion, evidence: string, failureClass: FailureClass | undefined, by: CriterionVerdict['by'] = 'model'): CriterionVerdict {
  return { verdict: 'fail', evidence, by, ...(failureClass ? { failureClass } : {}), ...basics(criterion) };
}

function basics({ criterion, mode, weight, required }: Criterion): Pick<CriterionVerdict, 'criterion' | 'mode' | 'weight' | 'required'> {
  return { criterion, mode, ...(weight === undefined ? {} : { weight }), ...(required === undefined ? {} : { required }) };
}

function isSupported(verdict: ModelVerdict, criterion: Criterion, { calls, result, found }: Corpora): boolean {
  if (typeof verdict.evidence !== 'string') return false;
  const key = `${criterion.about ?? 'world'} ${verdict.evidence}`;
  const known = found.get(key);
  if (known !== undefined) return known;
  const corpus = criterion.about === 'result' ? result : calls.filter((call) => call.ran !== false).map((call) => call.output);
  const supported = findQuote(verdict.evidence, corpus) !== undefined;
  found.set(key, supported);
  return supported;
}

/**
 * The model's class, unless what it quotes is the output of a call that failed for environmental reasons; where it
 * gives none, what the failed calls show, else logical.
 */
function failedClass(verdict: ModelVerdict, calls: readonly ToolCallRecord[]): FailureClass {
  const blocked = calls.filter((call) => !call.ok && call.failureClass === 'environmental');
  if (typeof verdict.evidence === 'string' && blocked.length > 0 && findQuote(verdict.evidence, blocked.map((call) => call.output)) !== undefined) return 'environmental';
  return classOf(verdict) ?? classByCalls(calls);
}

/** What the tool records say of a failure: environmental when the last call that failed did so for such a reason. */
export function classByCalls(calls: readonly ToolCallRecord[]): FailureClass {
  const failed = calls.filter((call) => !call.ok);
  return failed.at(-1)?.failureClass ?? 'logical';
}

function classOf(verdict: ModelVerdict): FailureClass | undefined {
  return verdict.failureClass === 'logical' || verdict.failureClass === 'environmental' ? verdict.failureClass : undefined;
}
