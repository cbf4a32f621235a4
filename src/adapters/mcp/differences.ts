import { canonicalJson, cleanText, headTail } from '../../text/index.js';
import type { ServerTool, Unusable } from './definition.js';
import { isRecord } from './schemas.js';

const LONGEST_QUOTE = 300;
const LONGEST_ACCOUNT = 2_000;

/** What is different in a tool, line by line, for the person who is asked. Quotes the server, cleaned and short. */
export function describeDifferences(before: ServerTool, after: ServerTool | Unusable): string {
  if ('unusable' in after) return `Its definition can no longer be read: ${after.unusable}.`;
  const lines: string[] = [];
  if (before.description !== after.description) lines.push(`Description, before: ${quote(before.description)}`, `Description, now: ${quote(after.description)}`);
  lines.push(...fields('Annotation', before.annotations, after.annotations));
  const properties = fields('Input', record(before.inputSchema['properties']), record(after.inputSchema['properties']));
  lines.push(...properties);
  const rest = (schema: Readonly<Record<string, unknown>>): string => canonicalJson({ ...schema, properties: undefined });
  if (rest(before.inputSchema) !== rest(after.inputSchema)) lines.push(`Input schema, before: ${quote(rest(before.inputSchema))}`, `Input schema, now: ${quote(rest(after.inputSchema))}`);
  return lines.length === 0 ? 'It changed and is now as it was.' : headTail(lines.join('\n'), { max: LONGEST_ACCOUNT, headShare: 0.7 });
}

function fields(kind: string, before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((key) => {
    const old = Object.hasOwn(before, key) ? canonicalJson(before[key]) : undefined;
    const now = Object.hasOwn(after, key) ? canonicalJson(after[key]) : undefined;
    if (old === now) return [];
    const name = `${kind} ${quote(key)}`;
    if (old === undefined) return [`${name}, new: ${quote(now!)}`];
    return now === undefined ? [`${name} is gone.`] : [`${name}, before: ${quote(old)}`, `${name}, now: ${quote(now)}`];
  });
}

/** On one line: a line break would let the server write lines of its own into the question. */
function quote(text: string): string {
  return JSON.stringify(headTail(cleanText(text), { max: LONGEST_QUOTE, headShare: 0.6 }));
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
