/** Plain async functions with zod: what the five steps cost when nothing is promised beyond them. */
import {
  INPUT, SYSTEM, TOOL_DESCRIPTION, TOOL_NAME, answerSchema, createModel, createToolWork, judgementSchema, perceivedSchema, planSchema, toolInputSchema,
} from '../task.mjs';

export async function create({ latencyMs }) {
  const model = createModel({ latencyMs });
  const work = createToolWork();
  const tools = [{ name: TOOL_NAME, description: TOOL_DESCRIPTION }];
  const ask = (role, content, schema) =>
    model.complete({ role, system: SYSTEM[role], messages: [{ role: 'user', content }] }).then((reply) => schema.parse(JSON.parse(reply.text)));

  async function run() {
    const perceived = await ask('R1', INPUT, perceivedSchema);
    const plan = await ask('R2', perceived.intent, planSchema);
    const messages = [{ role: 'user', content: plan.subtasks[0].intent }];
    const turn = await model.complete({ role: 'R3', system: SYSTEM.R3, messages, tools });
    const call = turn.toolCalls[0];
    const output = await work.execute(toolInputSchema.parse(call.input));
    messages.push({ role: 'assistant', content: turn.text, toolCalls: turn.toolCalls }, { role: 'tool', content: output, toolCallId: call.id });
    const reply = await model.complete({ role: 'R3', system: SYSTEM.R3, messages, tools });
    const answer = answerSchema.parse(JSON.parse(reply.text));
    const judged = await ask('R4b', `${plan.taskCriteria.join('\n')}\n${output}\n${answer.output}`, judgementSchema);
    return judged.mergedOutput;
  }
  return { model, work, run };
}
