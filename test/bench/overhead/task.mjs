/**
 * The one task that every variant carries out: perceive, plan, call a tool, answer, judge and merge. Five model calls and
 * one tool call, with canned replies, so that all time that is left is the library's own.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

export const INPUT = 'How many open points does notes.txt hold?';
export const TOOL_NAME = 'readNotes';
export const TOOL_DESCRIPTION = 'Reads a notes file and lists its open points.';
export const TOOL_OUTPUT = 'notes.txt: 3 open points (renew the lease, call the printer, book the train); 2 points are done.';
export const ANSWER = 'notes.txt holds 3 open points.';

/** What each reply must look like. No optional fields: some peers send the schema in strict mode, which forbids them. */
export const perceivedSchema = z.object({ slug: z.string(), intent: z.string() });
export const planSchema = z.object({
  taskCriteria: z.array(z.string()),
  subtasks: z.array(z.object({
    intent: z.string(),
    successCriteria: z.array(z.object({
      criterion: z.string(),
      mode: z.enum(['verifiable', 'plausible']),
      check: z.object({ type: z.string(), tool: z.string() }),
    })),
    sequence: z.int(),
    tools: z.array(z.string()),
  })),
});
export const toolInputSchema = z.object({ path: z.string() });
export const answerSchema = z.object({ status: z.enum(['completed', 'failed']), output: z.string() });
export const judgementSchema = z.object({
  summary: z.string(),
  mergedOutput: z.string(),
  verdicts: z.array(z.object({ index: z.int(), verdict: z.enum(['pass', 'fail']), evidence: z.string() })),
});

const usage = Object.freeze({ inputTokens: 200, outputTokens: 40 });
const text = (value) => ({ text: JSON.stringify(value), usage, finishReason: 'stop' });

const PERCEIVED = text({ slug: 'count-open-points', intent: 'Count the open points in notes.txt.' });
const PLAN = text({
  taskCriteria: ['The number of open points in notes.txt is stated.'],
  subtasks: [{
    intent: 'Read notes.txt and count its open points.',
    successCriteria: [{ criterion: 'notes.txt was read.', mode: 'verifiable', check: { type: 'toolSucceeded', tool: TOOL_NAME } }],
    sequence: 0,
    tools: [TOOL_NAME],
  }],
});
const TOOL_CALL = { text: '', toolCalls: [{ id: 'call-1', name: TOOL_NAME, input: { path: 'notes.txt' } }], usage, finishReason: 'tool_calls' };
const ANSWERED = text({ status: 'completed', output: ANSWER });
const JUDGED = text({
  summary: 'notes.txt was read and its open points counted.',
  mergedOutput: ANSWER,
  verdicts: [{ index: 0, verdict: 'pass', evidence: '3 open points' }],
});

/** One prompt for each step, the same for all variants but artoo, which brings its own. */
export const SYSTEM = {
  R1: 'Say in one sentence what the user wants. Answer as JSON: { slug, intent }.',
  R2: 'Plan the task. Answer as JSON: { taskCriteria, subtasks }.',
  R3: 'Do the subtask with the tools you have. Answer as JSON: { status, output }.',
  R4b: 'Judge the result against the criteria and merge it. Answer as JSON: { summary, mergedOutput, verdicts }.',
};

/** A model that answers at once (or after `latencyMs`) by the role that asks. Counts its calls. */
export function createModel({ latencyMs = 0 } = {}) {
  const model = {
    model: 'canned',
    rank: 1,
    capabilities: { tools: true, jsonSchema: true },
    calls: 0,
    async complete(request) {
      model.calls += 1;
      if (latencyMs > 0) await delay(latencyMs);
      switch (request.role) {
        case 'R1': return PERCEIVED;
        case 'R2': return PLAN;
        case 'R3': return request.messages.some((message) => message.role === 'tool') ? ANSWERED : TOOL_CALL;
        case 'R4b': return JUDGED;
        default: throw new Error(`The canned model has no reply for ${request.role}: this step should not have asked.`);
      }
    },
  };
  return model;
}

/** The tool's work. Counts its calls. */
export function createToolWork() {
  const work = {
    calls: 0,
    async execute() {
      work.calls += 1;
      return TOOL_OUTPUT;
    },
  };
  return work;
}

/** Throws unless one run made exactly five model calls and one tool call and gave the expected answer. */
export async function verifyVariant(name, variant) {
  const before = { model: variant.model.calls, tool: variant.work.calls };
  const answer = await variant.run();
  const model = variant.model.calls - before.model;
  const tool = variant.work.calls - before.tool;
  if (model !== 5 || tool !== 1 || answer !== ANSWER) {
    throw new Error(`${name} does not do the five steps: ${model} model calls (5 wanted), ${tool} tool calls (1 wanted), answer ${JSON.stringify(answer)}.`);
  }
}
