import type { JsonSchema } from '../../contracts/tool.js';

/**
 * What of an input a person would have to have named: its values, and the names of fields that the tool doesn't declare.
 * Left out is what the tool's own schema spells out: declared field names, choices of an enum, yes and no.
 */
export function outwardTexts(input: unknown, schema: JsonSchema): readonly string[] {
  const texts: string[] = [];
  collect(input, schema, texts);
  return texts;
}

function collect(value: unknown, schema: unknown, texts: string[]): void {
  if (value === null || value === undefined || typeof value === 'boolean') return;
  if (typeof value !== 'object') {
    const choices: unknown = isRecord(schema) ? schema['enum'] : undefined;
    if (!(Array.isArray(choices) && choices.includes(value))) texts.push(String(value));
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value) collect(item, isRecord(schema) ? schema['items'] : undefined, texts);
    return;
  }
  const declared: unknown = isRecord(schema) ? schema['properties'] : undefined;
  for (const [key, item] of Object.entries(value)) {
    const known = isRecord(declared) && Object.hasOwn(declared, key);
    if (!known) texts.push(key);
    collect(item, known ? declared[key] : undefined, texts);
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
