/**
 * OpenAI Agents SDK: four agents with structured output, run one after the other by one runner; the third has the tool
 * and takes two turns. Tracing is off.
 */
import { Agent, Runner, Usage, setTracingDisabled, tool } from '@openai/agents';
import {
  INPUT, SYSTEM, TOOL_DESCRIPTION, TOOL_NAME, answerSchema, createModel, createToolWork, judgementSchema, perceivedSchema, planSchema, toolInputSchema,
} from '../task.mjs';

/** The SDK's model interface over the canned model. */
function adapt(model, role) {
  return {
    async getResponse(request) {
      const items = typeof request.input === 'string' ? [] : request.input;
      const messages = items.some((item) => item.type === 'function_call_result') ? [{ role: 'user' }, { role: 'tool' }] : [{ role: 'user' }];
      const reply = await model.complete({ role, system: request.systemInstructions, messages });
      const output = reply.toolCalls
        ? reply.toolCalls.map((call) => ({ type: 'function_call', callId: call.id, name: call.name, status: 'completed', arguments: JSON.stringify(call.input) }))
        : [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: reply.text }] }];
      return { usage: new Usage({ requests: 1, inputTokens: reply.usage.inputTokens, outputTokens: reply.usage.outputTokens }), output };
    },
    getStreamedResponse() {
      throw new Error('The benchmark does not stream.');
    },
  };
}

export async function create({ latencyMs }) {
  setTracingDisabled(true);
  const model = createModel({ latencyMs });
  const work = createToolWork();
  const runner = new Runner({ tracingDisabled: true });
  const readNotes = tool({ name: TOOL_NAME, description: TOOL_DESCRIPTION, parameters: toolInputSchema, execute: () => work.execute() });
  const agent = (role, outputType, tools = []) => new Agent({ name: role, instructions: SYSTEM[role], model: adapt(model, role), outputType, tools });
  const perceiver = agent('R1', perceivedSchema);
  const planner = agent('R2', planSchema);
  const executor = agent('R3', answerSchema, [readNotes]);
  const judge = agent('R4b', judgementSchema);

  async function run() {
    const perceived = (await runner.run(perceiver, INPUT)).finalOutput;
    const plan = (await runner.run(planner, perceived.intent)).finalOutput;
    const executed = await runner.run(executor, plan.subtasks[0].intent);
    const toolOutput = executed.newItems.find((item) => item.type === 'tool_call_output_item').output;
    const judged = (await runner.run(judge, `${plan.taskCriteria.join('\n')}\n${toolOutput}\n${executed.finalOutput.output}`)).finalOutput;
    return judged.mergedOutput;
  }
  return { model, work, run };
}
