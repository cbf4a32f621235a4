import { describe, readCanonical } from './canonical.js';
import { FOLLOWS, partOf } from './criteria.js';
import { readRequests } from './english/read-requests.js';
import { criteriaOf, dataOf, readingsOf, sectionOf, type ShownCall, type ShownCriterion } from './prompt-text.js';
import { asMeant, type OfflineRequest } from './requests.js';
import { firstLine, verify } from './verify.js';

export interface Verdict { readonly index: number; readonly verdict: 'pass' | 'fail'; readonly evidence: string; readonly failureClass?: 'logical' | 'environmental' }
/** R4a's reply. */
export interface Judgement { readonly verdicts: readonly Verdict[]; readonly whatWasWrong?: string; readonly whatToDo?: string }

/** What a judge looks at. */
export interface Exhibit {
  /** The records of calls; where they can be read in several ways, the way that takes most for records comes first. */
  readonly readings: readonly (readonly ShownCall[])[];
  /** Answers by the subtask that gave them. */
  readonly answers: readonly { readonly request: OfflineRequest | undefined; readonly text: string }[];
}

/** R4a: each open criterion against the records of the calls. */
export function judge(prompt: string): Judgement {
  const intent = sectionOf(prompt, 'Subtask:') ?? '';
  const exhibit: Exhibit = { readings: readingsOf(dataOf(prompt, 'tool output') ?? ''), answers: [{ request: requestOf(intent), text: dataOf(prompt, 'result') ?? '' }] };
  const findings = criteriaOf(prompt).map((criterion) => judgeOne(criterion, exhibit));
  const wrong = findings.find(({ verdict }) => verdict.verdict === 'fail');
  return {
    verdicts: findings.map(({ verdict }) => verdict),
    ...(wrong ? { whatWasWrong: wrong.why, whatToDo: 'Work it out in another way and let the tool output show it.' } : {}),
  };
}

export function requestOf(intent: string): OfflineRequest | undefined {
  const canonical = readCanonical(intent);
  const read = canonical ? [{ part: canonical }] : readRequests(intent);
  const part = read.length === 1 ? read[0]!.part : undefined;
  return part === undefined || part.kind === 'unsupported' ? undefined : part;
}

export function judgeOne(criterion: ShownCriterion, exhibit: Exhibit): { readonly verdict: Verdict; readonly why: string } {
  const { index, text } = criterion;
  const calls = exhibit.readings[0] ?? [];
  const pass = (evidence: string): { verdict: Verdict; why: string } => ({ verdict: { index, verdict: 'pass', evidence }, why: '' });
  const fail = (why: string, evidence = ''): { verdict: Verdict; why: string } => ({ verdict: { index, verdict: 'fail', evidence, failureClass: 'logical' }, why });
  const wanted = partOf(text);
  if (text === FOLLOWS || wanted) {
    const answer = wanted ? exhibit.answers.find(({ request }) => request !== undefined && isSame(request, wanted)) : exhibit.answers[0];
    if (!answer?.request || answer.text.trim() === '') return fail('there is no answer to it');
    const findings = exhibit.readings.map((reading) => verify(answer.request!, answer.text, reading));
    const finding = findings.find(({ holds }) => holds) ?? findings[0]!;
    return finding.holds ? pass(firstLine(answer.text)) : fail(finding.why, firstLine(answer.text));
  }
  const written = /^The output of (\S+) names (.+) as written$/.exec(text);
  if (written) {
    const line = calls.filter(({ tool, ok, ran }) => tool === written[1] && ok && ran).flatMap(({ output }) => output.split('\n')).find((candidate) => candidate.includes(written[2]!));
    return line === undefined ? fail(`no output of ${written[1]!} names ${written[2]!}`) : pass(line.trim());
  }
  return judgeByWords(criterion, exhibit) ?? fail(`this rule-based model can't judge: ${text}`);

  function judgeByWords({ about }: ShownCriterion, { answers }: Exhibit): { verdict: Verdict; why: string } | undefined {
    const lines = (about === 'result' ? answers.map((answer) => answer.text) : calls.filter(({ ran }) => ran).map(({ output }) => output)).flatMap((output) => output.split('\n')).filter((line) => line.trim().length >= 3);
    if (/\b(?:states?|gives?|names?|has|have|shows?|says|reports?|contains?) (?:a|the) (?:number|count|figure)\b/i.test(text)) {
      const line = lines.find((candidate) => /\d/.test(candidate));
      return line === undefined ? fail('no number is stated') : pass(line.trim());
    }
    const named = namedIn(text);
    if (named.length === 0) return undefined;
    const missing = named.filter((name) => !lines.some((line) => line.includes(name)));
    if (missing.length > 0) return fail(`${missing.map((name) => JSON.stringify(name)).join(', ')} is nowhere in the ${about === 'result' ? 'result' : 'tool output'}`);
    return pass(lines.find((line) => named.every((name) => line.includes(name)))?.trim() ?? lines.find((line) => line.includes(named[0]!))!.trim());
  }
}

/** What a criterion names word for word: quotations, file names, numbers. */
function namedIn(text: string): string[] {
  const quoted = [...text.matchAll(/"([^"]{1,200})"|`([^`]{1,200})`/g)].map(([, one, other]) => (one ?? other)!);
  const bare = text.replace(/"[^"]*"|`[^`]*`/g, ' ');
  return [...new Set([...quoted, ...(bare.match(/[\w./-]*\w\.[A-Za-z]\w{0,7}\b|\b\d+(?:\.\d+)?\b/g) ?? [])])];
}

function isSame(left: OfflineRequest, right: OfflineRequest): boolean {
  return describe(asMeant(left)) === describe(asMeant(right));
}
