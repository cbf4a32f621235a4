import * as z from 'zod/mini';
import { LAWS_TEXT } from '../contracts/laws.js';
import type { LLMClient } from '../contracts/llm.js';
import type { Distil } from '../contracts/memory.js';
import type { Clock, Ids } from '../contracts/runtime.js';
import { askStructured } from '../llm/ask-structured.js';
import type { KnownSchema } from '../llm/known-schema.js';
import { templateRule } from '../mkct/consolidate.js';
import { describeTag } from '../mkct/constraint-text.js';
import { runWithTimeout } from '../signals/index.js';
import { fence, headTail } from '../text/index.js';

/** Stands where messages and requests name a task: the Dreamer works outside of all of them. */
export const DREAMER_TASK = 'dreamer';

const ruleSchema = z.object({ rule: z.string() });
const RULE: KnownSchema<z.infer<typeof ruleSchema>> = {
  name: 'rule', schema: ruleSchema,
  jsonSchema: { type: 'object', properties: { rule: { type: 'string' } }, required: ['rule'] },
};
const LONGEST_LESSON = 800;
const MOST_TOKENS = 400;

const SYSTEM = `${LAWS_TEXT}

Role Dreamer. You turn many lessons about one thing into one rule for whoever plans next: one or two sentences, concrete, with the names and values that the lessons share. Say nothing that the lessons don't show.
Answer with JSON: {"rule": ""}`;

export interface DistilOptions { readonly clock: Clock; readonly ids: Ids; readonly timeoutMs: number }

/** Has a model write the rule of a tag. A model without words for it leaves it to the template; one that fails, to the next pass. */
export function distilWith(llm: LLMClient, { clock, ids, timeoutMs }: DistilOptions): Distil {
  return async ({ tag, sigma, contents, signal }) => {
    const lessons = contents.map((content, index) => `${index + 1}. ${headTail(content, { max: LONGEST_LESSON })}`).join('\n');
    const content = [
      `About: ${describeTag(tag)}`,
      sigma > 0 ? 'These ways worked again and again. Say what to do.' : 'These ways failed again and again. Say what not to do.',
      fence({ label: 'memory', text: lessons, nonce: ids.next('nonce'), address: 'dreamer lessons' }),
    ].join('\n');
    const { value } = await runWithTimeout({
      clock, ms: timeoutMs, signal,
      run: (inner) => askStructured(llm, RULE, {
        role: 'dreamer', taskId: DREAMER_TASK, system: SYSTEM, messages: [{ role: 'user', content }], maxOutputTokens: MOST_TOKENS,
      }, { signal: inner }),
      onTimeout: () => new Error(`${llm.model} did not answer within ${timeoutMs} ms`),
    });
    return value.rule.trim() === '' ? templateRule(tag, sigma, contents) : value.rule;
  };
}
