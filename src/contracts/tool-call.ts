import * as z from 'zod/mini';
import { effectSchema, failureClassSchema } from './names.js';

/**
 * What the runtime recorded of one tool call. Nothing but such a record counts as evidence about the world.
 * `evidence`: the last 120 characters of the output. `output`: head and tail, 4 KB at most. Times in epoch ms and ms.
 */
export const toolCallRecordSchema = z.object({
  id: z.string(),
  tool: z.string(),
  input: z.unknown(),
  target: z.string(),
  effect: effectSchema,
  ok: z.boolean(),
  /** The call ran and found nothing: blocks its target like a failure, but is no failure. */
  empty: z.optional(z.boolean()),
  failureClass: z.optional(failureClassSchema),
  /** False for a call that was answered without running: refused, denied, repeated. */
  ran: z.optional(z.boolean()),
  evidence: z.string(),
  output: z.string(),
  startedAt: z.number(),
  durationMs: z.number(),
});
export type ToolCallRecord = z.infer<typeof toolCallRecordSchema>;
