import type { LLMMessage, LLMToolDescription } from '../../contracts/llm.js';
import type { SubTask } from '../../contracts/messages.js';
import type { ToolCallRecord } from '../../contracts/tool-call.js';

/** One call as it was made before: how often, and what came of it. */
export interface KnownCall { times: number; readonly writes: number; readonly record: ToolCallRecord; readonly text: string }

/** What R3 knows of one subtask; it lives until the outcome is published. */
export interface Conversation {
  readonly subtask: SubTask;
  readonly messages: LLMMessage[];
  readonly toolCalls: ToolCallRecord[];
  /** By tool and canonical input. */
  readonly known: Map<string, KnownCall>;
  /** Calls whose outcome was lost in a crash: a repeat needs a fresh confirmation. */
  readonly doubtful: Set<string>;
  readonly tools: readonly LLMToolDescription[];
  attempt: number;
  calls: number;
  /** Writes done so far: a call may be worth repeating after one. */
  writes: number;
  /** Characters of tool output in the messages. */
  shown: number;
  questions: number;
}
