import type { Criterion } from '../../contracts/criterion.js';
import type { ToolCallRecord } from '../../contracts/tool-call.js';
import { headTail, stringifyOutput } from '../../text/index.js';

/** How R4a and R4b are told to judge; code holds them to it. */
export const JUDGING = `- Judge each criterion alone: verdict "pass" or "fail", by its index.
- evidence: an exact quotation, copied character for character. For a criterion about the world quote tool output; for one about the result quote the result. A claim is no evidence about the world. No quotation, no pass.
- In doubt: fail.
- failureClass of a fail: "environmental" when the surroundings stood in the way (missing permission, network, absent file), else "logical".`;

/** A line in an output that would look like the border between two records. */
const SEPARATOR_LINE = /^---$/gm;
/** All tool records together, in characters. */
const RECORD_CHARACTERS = 12_000;

export function describeCriteria(criteria: readonly (readonly [number, Criterion])[]): string {
  return criteria.map(([index, { criterion, mode, about }]) => `[${index}] (${mode}, about the ${about ?? 'world'}) ${criterion}`).join('\n');
}

/** The runtime's records of the calls, the newest whole, older ones shortened to fit. */
export function describeCalls(calls: readonly ToolCallRecord[], max = RECORD_CHARACTERS): string {
  if (calls.length === 0) return '(no tool was called)';
  const share = Math.max(200, Math.floor(max / calls.length));
  return headTail(calls.map((call) => {
    const state = call.ran === false ? 'did not run' : call.ok ? 'ok' : 'failed';
    const input = headTail(stringifyOutput(call.input), { max: 300 }).replace(/\s*\n\s*/g, ' ');
    return `${call.tool} ${input} [${state}]\n${headTail(call.output, { max: share }).replace(SEPARATOR_LINE, ' ---')}`;
  }).join('\n---\n'), { max });
}
