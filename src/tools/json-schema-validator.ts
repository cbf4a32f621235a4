import { Validator, type Schema, type SchemaDraft } from '@cfworker/json-schema';
import type { JsonSchema, StandardResult } from '../contracts/tool.js';

/** Issues beyond this say nothing new to a model. */
const MOST_ISSUES = 8;

/**
 * Checks values against a JSON Schema (drafts 4, 7, 2019-09, 2020-12; the last when `$schema` names none), without
 * generating code. Throws what the validator throws for a schema that it can't read.
 */
export function jsonSchemaValidator(schema: JsonSchema): (value: unknown) => StandardResult<unknown> {
  // The validator writes into the schema that it gets.
  const validator = new Validator(JSON.parse(JSON.stringify(schema)) as Schema, draftOf(schema), false);
  return (value) => {
    const { valid, errors } = validator.validate(value);
    if (valid) return { value };
    const issues = errors.map((unit) => ({ message: unit.error, path: pathOf(unit.instanceLocation) }));
    // The outermost errors only say that something inside is wrong.
    const deepest = issues.filter((_, index) => !isSummary(errors[index]?.keyword) || issues.length === 1);
    return { issues: (deepest.length > 0 ? deepest : issues).slice(0, MOST_ISSUES) };
  };
}

function draftOf(schema: JsonSchema): SchemaDraft {
  const named = typeof schema['$schema'] === 'string' ? schema['$schema'] : '';
  if (named.includes('draft-04')) return '4';
  if (named.includes('draft-06') || named.includes('draft-07')) return '7';
  if (named.includes('2019-09')) return '2019-09';
  return '2020-12';
}

function isSummary(keyword: string | undefined): boolean {
  return keyword === 'properties' || keyword === 'items' || keyword === '$ref' || keyword === 'false';
}

/** `#/a/0/b~1c` → ['a', '0', 'b/c']. */
function pathOf(location: string): string[] {
  return location.split('/').slice(1).map((part) => {
    const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
    try {
      return decodeURIComponent(plain);
    } catch {
      return plain;
    }
  });
}
