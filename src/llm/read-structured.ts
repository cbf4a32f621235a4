import * as z from 'zod/mini';
import type { LLMReply } from '../contracts/llm.js';
import { canonicalJson } from '../text/canonical-json.js';
import { extractJson } from '../text/extract-json.js';
import { parseJson } from '../text/parse-json.js';
import { stripThink } from '../text/strip-think.js';
import { describeIssues } from '../text/describe-issues.js';
import type { AnySchema } from './schema.js';

/** What a reply turned out to be. `problem` is worded for the model and holds none of its text. */
export type ReadReply<T> =
  | { readonly kind: 'value'; readonly value: T; readonly repaired: boolean }
  | { readonly kind: 'empty' | 'cut' | 'garbage'; readonly problem: string };

/** Longer replies are no answer; in UTF-16 code units. */
export const MAX_REPLY_LENGTH = 1_000_000;

/** Reads a reply as one value of the schema. Pure; never throws. */
export function readStructured<T>(reply: LLMReply, schema: AnySchema<T>): ReadReply<T> {
  const { text } = reply;
  if (text.length > MAX_REPLY_LENGTH) return { kind: 'garbage', problem: `the reply was ${text.length} characters long; ${MAX_REPLY_LENGTH} are allowed` };
  const start = text.charCodeAt(0);
  // Most replies are plain JSON.
  if (start === 123 || start === 91) {
    const plain = parseJson(text);
    if (plain.ok) return check(plain.value, schema, false);
  }
  const cut = reply.finishReason === 'length';
  const answer = stripThink(text);
  if (answer.trim() === '') {
    return cut
      ? { kind: 'cut', problem: 'the reply was cut off before it answered anything' }
      : { kind: 'empty', problem: 'the reply was empty' };
  }
  // Objects are looked for first: prose is full of brackets that happen to be lists.
  const objects = extractJson(answer, { want: 'object', repair: !cut });
  const listed = objects.values.length === 1 && !wantsObject(schema) ? extractJson(answer, { repair: !cut }) : undefined;
  const found = listed ?? (objects.values.length > 0 && wantsObject(schema) ? objects : extractJson(answer, { repair: !cut }));
  const distinct = found.values.length > 1 ? withoutRepeats(found.values) : found.values;
  const first = distinct[0];
  if (distinct.length === 0) {
    return cut
      ? { kind: 'cut', problem: 'the reply was cut off before its JSON was complete' }
      : { kind: 'garbage', problem: 'the reply holds no JSON' };
  }
  if (distinct.length > 1) return { kind: 'garbage', problem: `the reply holds ${distinct.length} different JSON values; exactly one is wanted` };
  const checked = check(first, schema, found.repaired);
  return checked.kind !== 'value' && cut ? { kind: 'cut', problem: `the reply was cut off (${checked.problem})` } : checked;
}

function check<T>(value: unknown, schema: AnySchema<T>, repaired: boolean): ReadReply<T> {
  try {
    const parsed = z.safeParse(schema, value);
    return parsed.success
      ? { kind: 'value', value: parsed.data, repaired }
      : { kind: 'garbage', problem: `the JSON does not fit the schema: ${describeIssues(parsed.error.issues)}` };
  } catch {
    return { kind: 'garbage', problem: 'the JSON could not be checked against the schema' };
  }
}

function wantsObject(schema: AnySchema): boolean {
  const { type } = schema._zod.def;
  return type === 'object' || type === 'record' || type === 'intersection';
}

function withoutRepeats(values: readonly unknown[]): unknown[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const key = canonicalJson(value);
    return seen.has(key) ? false : seen.add(key) !== undefined;
  });
}
