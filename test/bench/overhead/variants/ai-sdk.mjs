/**
 * AI SDK: generateText with a structured output for each step; the third call has the tool and takes two steps. The
 * language model is our own object, because the SDK's mock keeps every call it saw. No telemetry is registered.
 */
import { Output, generateText, isStepCount, tool } from 'ai';
import {
  INPUT, SYSTEM, TOOL_DESCRIPTION, TOOL_NAME, answerSchema, createModel, createToolWork, judgementSchema, perceivedSchema, planSchema, toolInputSchema,
} from '../task.mjs';

/** The SDK's language model interface over the canned model. */
function adapt(model, role) {
  return {
    specificationVersion: 'v4',
    provider: 'canned',
    modelId: 'canned',
    supportedUrls: {},
    async doGenerate({ prompt }) {
      const reply = await model.complete({ role, messages: prompt });
      const content = reply.toolCalls
        ? reply.toolCalls.map((call) => ({ type: 'tool-call', toolCallId: call.id, toolName: call.name, input: JSON.stringify(call.input) }))
        : [{ type: 'text', text: reply.text }];
      const { inputTokens, outputTokens } = reply.usage;
      return {
        content,
        finishReason: { unified: reply.toolCalls ? 'tool-calls' : 'stop', raw: undefined },
        usage: {
          inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: undefined, cacheWrite: undefined },
          outputTokens: { total: outputTokens, text: outputTokens, reasoning: undefined },
        },
        warnings: [],
      };
    },
    async doStream() {
      throw new Error('The benchmark does not stream.');
    },
  };
}

export async function create({ latencyMs }) {
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const model = createModel({ latencyMs });
  const work = createToolWork();
  const models = { R1: adapt(model, 'R1'), R2: adapt(model, 'R2'), R3: adapt(model, 'R3'), R4b: adapt(model, 'R4b') };
  const outputs = {
    R1: Output.object({ schema: perceivedSchema }),
    R2: Output.object({ schema: planSchema }),
    R3: Output.object({ schema: answerSchema }),
    R4b: Output.object({ schema: judgementSchema }),
  };
  const tools = { [TOOL_NAME]: tool({ description: TOOL_DESCRIPTION, inputSchema: toolInputSchema, execute: () => work.execute() }) };
  const stopWhen = isStepCount(3);
  const ask = (role, prompt, more) => generateText({ model: models[role], system: SYSTEM[role], prompt, output: outputs[role], maxRetries: 0, telemetry: { isEnabled: false }, ...more });

  async function run() {
    const perceived = (await ask('R1', INPUT)).output;
    const plan = (await ask('R2', perceived.intent)).output;
    const executed = await ask('R3', plan.subtasks[0].intent, { tools, stopWhen });
    const toolOutput = executed.steps[0].toolResults[0].output;
    const judged = (await ask('R4b', `${plan.taskCriteria.join('\n')}\n${toolOutput}\n${executed.output.output}`)).output;
    return judged.mergedOutput;
  }
  return { model, work, run };
}
