import { asRecord, asText } from './wire.js';

export type TokenField = 'max_completion_tokens' | 'max_tokens';

/** What a server takes. Begins with the best guess and is corrected by the server's own complaints. */
export interface Dialect {
  readonly schemaMode: 'json_schema' | 'json_object' | 'prompted';
  /** Names of the output limit that were not refused yet; the first is used. */
  readonly tokenFields: readonly TokenField[];
  /** Whether usage may be asked for in a stream. */
  readonly streamUsage: boolean;
  readonly temperature: boolean;
  readonly reasoning: boolean;
  readonly streaming: boolean;
}

/**
 * What to change in the dialect after a request was refused, or undefined when the refusal has nothing to do with it.
 * Pure; each step gives up one thing, so that a few steps end anywhere.
 */
export function learn(sent: Dialect, body: Readonly<Record<string, unknown>>, error: unknown): Dialect | undefined {
  const facts = asRecord(error);
  if (facts['status'] !== 400 && facts['status'] !== 422) return undefined;
  const param = asText(facts['param']) || asText(asRecord(facts['error'])['param']);
  const words = param !== '' ? param : `${asText(facts['message'])} ${bodyText(facts['error'])}`;
  if ('stream_options' in body && /stream_options|include_usage/i.test(words)) return { ...sent, streamUsage: false };
  const [tokenField, ...otherFields] = sent.tokenFields;
  if (tokenField && tokenField in body && mentionsTokenField(words, tokenField)) return otherFields.length > 0 ? { ...sent, tokenFields: otherFields } : undefined;
  if ('temperature' in body && /temperature/i.test(words)) return { ...sent, temperature: false };
  if ('reasoning_effort' in body && /reasoning_effort|reasoning effort/i.test(words)) return { ...sent, reasoning: false };
  if ('response_format' in body && /response_format|json_schema|json_object|structured output|json mode|grammar|schema/i.test(words)) {
    return { ...sent, schemaMode: sent.schemaMode === 'json_schema' ? 'json_object' : 'prompted' };
  }
  if (body['stream'] === true && /\bstream(?:ing|ed)?\b/i.test(words)) return { ...sent, streaming: false };
  return undefined;
}

/** A value that is too large is the caller's matter; only a field that isn't known is ours. */
function mentionsTokenField(words: string, field: string): boolean {
  if (!words.includes(field)) return false;
  return words === field || /unsupported|unrecognized|unknown|not supported|not permitted|unexpected|extra|invalid (?:parameter|argument|field)|use '?max_/i.test(words);
}

function bodyText(body: unknown): string {
  try {
    return JSON.stringify(body)?.slice(0, 4_000) ?? '';
  } catch {
    return '';
  }
}
