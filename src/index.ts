/**
 * artoo carries a natural-language task to a verified result.
 *
 *     import { createArtoo, defineTool } from 'artoo';
 *     import { createOpenAIClient } from 'artoo/openai';
 *     import { workspaceTools } from 'artoo/tools';
 *
 *     const llm = createOpenAIClient({ apiKey, model: 'gpt-5' });
 *     const artoo = createArtoo({ models: { brain: llm, tool: llm }, tools: workspaceTools({ root: '.' }) });
 *     const { directive, output, unmet } = await artoo.run('How many TODOs are left in src?').result;
 *     console.log(directive, output, unmet);
 *     await artoo.close();
 */
export { createArtoo, type Artoo } from './create-artoo.js';
export type { ArtooOptions, RoleClass, RoleClasses, RunOptions } from './options.js';
export type { ApprovalDecision, ApprovalQuestion, Clarify, Confirm } from './contracts/people.js';
export type { PendingTask } from './kernel/pending.js';
export type { Run } from './kernel/run.js';
export { defineTool } from './tools/define-tool.js';
export { ToolError } from './tools/tool-error.js';
export { ArtooError, type ArtooErrorCode } from './contracts/errors.js';
export { VERSION } from './version.js';
export type { Envelope, EnvelopeOf, MessageType, Payload } from './contracts/envelope.js';
export type { Budget, FinalResult, Limits, Usage } from './contracts/messages.js';
export type { Criterion, CriterionInput } from './contracts/criterion.js';
export type { LLMClient, LLMMessage, LLMReply, LLMRequest, LLMToolCall, LLMUsage } from './contracts/llm.js';
export type { Bus } from './contracts/bus.js';
export type { Ledger } from './contracts/ledger.js';
export type { DreamReport, Embed, MemoryStore } from './contracts/memory.js';
export type { Reflect, ReflectInput } from './roles/goal-gradient-solver/reflect.js';
export type { Clock, Ids } from './contracts/runtime.js';
export type { SandboxPolicy, Tool, ToolContext, Workspace } from './contracts/tool.js';
