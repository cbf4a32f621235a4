/**
 * Mastra: a workflow of five steps. Input validation of the steps is off, because each reply was already parsed where it
 * came in, as in the other variants. `registered` puts the workflow into a Mastra instance with its default storage.
 */
import { Mastra } from '@mastra/core';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { z } from 'zod';
import {
  INPUT, SYSTEM, TOOL_DESCRIPTION, TOOL_NAME, answerSchema, createModel, createToolWork, judgementSchema, perceivedSchema, planSchema, toolInputSchema,
} from '../task.mjs';

export async function create({ latencyMs, registered = false }) {
  const model = createModel({ latencyMs });
  const work = createToolWork();
  const tools = [{ name: TOOL_NAME, description: TOOL_DESCRIPTION }];
  const ask = async (role, content, schema) => {
    const reply = await model.complete({ role, system: SYSTEM[role], messages: [{ role: 'user', content }] });
    return schema.parse(JSON.parse(reply.text));
  };

  const actedSchema = z.object({ plan: planSchema, toolOutput: z.string(), messages: z.array(z.any()) });
  const finishedSchema = z.object({ plan: planSchema, toolOutput: z.string(), answer: answerSchema });
  const inputSchema = z.object({ input: z.string() });
  const perceive = createStep({
    id: 'perceive', inputSchema, outputSchema: perceivedSchema,
    execute: ({ inputData }) => ask('R1', inputData.input, perceivedSchema),
  });
  const makePlan = createStep({
    id: 'plan', inputSchema: perceivedSchema, outputSchema: planSchema,
    execute: ({ inputData }) => ask('R2', inputData.intent, planSchema),
  });
  const act = createStep({
    id: 'act', inputSchema: planSchema, outputSchema: actedSchema,
    execute: async ({ inputData: plan }) => {
      const user = { role: 'user', content: plan.subtasks[0].intent };
      const turn = await model.complete({ role: 'R3', system: SYSTEM.R3, messages: [user], tools });
      const call = turn.toolCalls[0];
      const toolOutput = await work.execute(toolInputSchema.parse(call.input));
      const assistant = { role: 'assistant', content: turn.text, toolCalls: turn.toolCalls };
      return { plan, toolOutput, messages: [user, assistant, { role: 'tool', content: toolOutput, toolCallId: call.id }] };
    },
  });
  const finish = createStep({
    id: 'finish', inputSchema: actedSchema, outputSchema: finishedSchema,
    execute: async ({ inputData: { plan, toolOutput, messages } }) => {
      const reply = await model.complete({ role: 'R3', system: SYSTEM.R3, messages, tools });
      return { plan, toolOutput, answer: answerSchema.parse(JSON.parse(reply.text)) };
    },
  });
  const judge = createStep({
    id: 'judge', inputSchema: finishedSchema, outputSchema: judgementSchema,
    execute: ({ inputData: { plan, toolOutput, answer } }) => ask('R4b', `${plan.taskCriteria.join('\n')}\n${toolOutput}\n${answer.output}`, judgementSchema),
  });
  const workflow = createWorkflow({ id: 'task', inputSchema, outputSchema: judgementSchema, options: { validateInputs: false } })
    .then(perceive).then(makePlan).then(act).then(finish).then(judge).commit();
  const runnable = registered ? new Mastra({ workflows: { task: workflow }, logger: false }).getWorkflow('task') : workflow;

  async function run() {
    const started = await runnable.createRun();
    const ended = await started.start({ inputData: { input: INPUT } });
    if (ended.status !== 'success') throw new Error(`The workflow ended as ${ended.status}.`, { cause: ended.error });
    return ended.result.mergedOutput;
  }
  return { model, work, run };
}
