/**
 * LangGraph.js: a state graph of five nodes. The nodes call the canned model directly, without LangChain's chat model
 * layer on top, which favours LangGraph.
 */
import { Annotation, END, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import {
  INPUT, SYSTEM, TOOL_DESCRIPTION, TOOL_NAME, answerSchema, createModel, createToolWork, judgementSchema, perceivedSchema, planSchema, toolInputSchema,
} from '../task.mjs';

const State = Annotation.Root({
  input: Annotation(), perceived: Annotation(), plan: Annotation(), messages: Annotation(),
  toolOutput: Annotation(), answer: Annotation(), judged: Annotation(),
});

export async function create({ latencyMs, checkpoints = false }) {
  const model = createModel({ latencyMs });
  const work = createToolWork();
  const tools = [{ name: TOOL_NAME, description: TOOL_DESCRIPTION }];
  const ask = async (role, content, schema) => {
    const reply = await model.complete({ role, system: SYSTEM[role], messages: [{ role: 'user', content }] });
    return schema.parse(JSON.parse(reply.text));
  };

  const graph = new StateGraph(State)
    .addNode('perceive', async (state) => ({ perceived: await ask('R1', state.input, perceivedSchema) }))
    .addNode('makePlan', async (state) => ({ plan: await ask('R2', state.perceived.intent, planSchema) }))
    .addNode('act', async (state) => {
      const user = { role: 'user', content: state.plan.subtasks[0].intent };
      const turn = await model.complete({ role: 'R3', system: SYSTEM.R3, messages: [user], tools });
      const call = turn.toolCalls[0];
      const toolOutput = await work.execute(toolInputSchema.parse(call.input));
      const assistant = { role: 'assistant', content: turn.text, toolCalls: turn.toolCalls };
      return { toolOutput, messages: [user, assistant, { role: 'tool', content: toolOutput, toolCallId: call.id }] };
    })
    .addNode('finish', async (state) => {
      const reply = await model.complete({ role: 'R3', system: SYSTEM.R3, messages: state.messages, tools });
      return { answer: answerSchema.parse(JSON.parse(reply.text)) };
    })
    .addNode('judge', async (state) => ({
      judged: await ask('R4b', `${state.plan.taskCriteria.join('\n')}\n${state.toolOutput}\n${state.answer.output}`, judgementSchema),
    }))
    .addEdge(START, 'perceive')
    .addEdge('perceive', 'makePlan')
    .addEdge('makePlan', 'act')
    .addEdge('act', 'finish')
    .addEdge('finish', 'judge')
    .addEdge('judge', END);
  const app = checkpoints ? graph.compile({ checkpointer: new MemorySaver() }) : graph.compile();

  let thread = 0;
  async function run() {
    const options = checkpoints ? { configurable: { thread_id: String((thread += 1)) } } : undefined;
    const state = await app.invoke({ input: INPUT }, options);
    return state.judged.mergedOutput;
  }
  return { model, work, run };
}
