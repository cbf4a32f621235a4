import type { JsonSchema } from '../../contracts/tool.js';
import { canonicalJson, cleanText, headTail } from '../../text/index.js';
import { jsonSchemaValidator } from '../../tools/json-schema-validator.js';
import type { StandardResult } from '../../contracts/tool.js';

/** Characters of JSON. */
const LONGEST_SCHEMA = 65_536;
/** Below the depth at which canonical JSON stops telling values apart. */
const DEEPEST_SCHEMA = 48;
const LONGEST_ANNOTATION = 1_000;
const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'description', '$comment']);

/**
 * Keywords that let a server spend our time: patterns that take exponential time on the right input, references that
 * multiply. Where one occurs, a schema without them is checked, and the server, which checks anyway, has the last word.
 */
const COSTLY: ReadonlySet<string> = new Set(['pattern', 'patternProperties', '$ref', '$dynamicRef', '$recursiveRef', '$id', 'id', '$anchor', '$dynamicAnchor', '$recursiveAnchor']);
/** What can refuse good input once other keywords beside or below it are gone. */
const UNSURE_THEN: ReadonlySet<string> = new Set([
  '$defs', 'definitions', 'not', 'if', 'then', 'else', 'unevaluatedProperties', 'unevaluatedItems', 'propertyNames',
  'contains', 'minContains', 'maxContains', 'dependentSchemas', 'dependencies',
]);
const LISTS: ReadonlySet<string> = new Set(['anyOf', 'allOf', 'prefixItems']);

/** Why no tool can have this input schema, or undefined. */
export function refuseSchema(schema: unknown): string | undefined {
  if (!isRecord(schema)) return 'it has no input schema';
  if (schema['type'] !== undefined && schema['type'] !== 'object') return 'its input schema is not of type "object"';
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: schema, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.depth > DEEPEST_SCHEMA) return `its schema is nested deeper than ${DEEPEST_SCHEMA} levels`;
    if (typeof next.value !== 'object' || next.value === null) continue;
    for (const [key, value] of Object.entries(next.value)) {
      if (key === '__proto__') return 'its schema has a key "__proto__"';
      open.push({ value, depth: next.depth + 1 });
    }
  }
  if (canonicalJson(schema).length > LONGEST_SCHEMA) return `its schema is longer than ${LONGEST_SCHEMA} characters`;
  try {
    // A schema that makes the validator throw does so whatever the input.
    looseValidator(schema)({});
  } catch {
    return 'its schema is no JSON Schema';
  }
  return undefined;
}

/** The schema as the model sees it: titles and descriptions are cleaned and short, all else is the server's. */
export function shownSchema(schema: JsonSchema): JsonSchema {
  return tidy(schema) as JsonSchema;
}

function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [
    key, typeof item === 'string' && ANNOTATIONS.has(key) ? headTail(cleanText(item), { max: LONGEST_ANNOTATION, headShare: 0.8 }) : tidy(item),
  ]));
}

/** Checks values in time that grows with value and schema alone. Expects a schema that {@link refuseSchema} lets pass. */
export function looseValidator(schema: JsonSchema): (value: unknown) => StandardResult<unknown> {
  return jsonSchemaValidator({ ...(isCostly(schema) ? loosen(schema) as JsonSchema : schema), type: 'object' });
}

function isCostly(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => (!Array.isArray(value) && COSTLY.has(key)) || isCostly(item));
}

function loosen(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const loose: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (COSTLY.has(key) || UNSURE_THEN.has(key)) continue;
    if (key === 'additionalProperties') {
      if (schema['patternProperties'] === undefined && schema['$ref'] === undefined) loose[key] = loosen(value);
    } else if (key === 'properties') {
      loose[key] = isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, loosen(item)])) : value;
    } else if (key === 'oneOf') {
      // Two of them may fit now; that one of them fits still holds.
      loose['allOf'] = [...(Array.isArray(loose['allOf']) ? loose['allOf'] : []), { anyOf: loosenList(value) }];
    } else if (key === 'allOf') {
      loose['allOf'] = [...(Array.isArray(loose['allOf']) ? loose['allOf'] : []), ...(Array.isArray(value) ? value.map(loosen) : [])];
    } else if (LISTS.has(key) || (key === 'items' && Array.isArray(value))) {
      loose[key] = loosenList(value);
    } else if (key === 'items') {
      loose[key] = loosen(value);
    } else {
      loose[key] = value;
    }
  }
  return loose;
}

function loosenList(list: unknown): unknown {
  return Array.isArray(list) ? list.map(loosen) : list;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
