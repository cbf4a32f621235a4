import { expect, test } from 'vitest';
import { deriveJsonSchema } from '../../src/llm/schema.js';
import { JUDGEMENT, MERGE, NEXT_MOVES, PERCEPTION, PLAN } from '../../src/roles/reply-schemas.js';

test.each([PERCEPTION, PLAN, NEXT_MOVES, JUDGEMENT, MERGE])('the written JSON Schema of $name is the one its zod schema has', ({ schema, jsonSchema }) => {
  expect(jsonSchema).toEqual(deriveJsonSchema(schema));
});
