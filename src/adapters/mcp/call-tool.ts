import type { ArtooError } from '../../contracts/errors.js';
import type { Clock } from '../../contracts/runtime.js';
import type { JsonSchema, StandardResult, ToolContext } from '../../contracts/tool.js';
import { linkedController } from '../../signals/index.js';
import { stringifyOutput } from '../../text/index.js';
import { classifyToolError } from '../../tools/classify-error.js';
import { ToolError } from '../../tools/tool-error.js';
import { oneLine, wireTimeout, type McpServer } from './client.js';
import { watchConnection } from './connection-watch.js';
import { shownName } from './definition.js';
import { garbage, toFailure } from './failures.js';
import { joinWithin, partTexts } from './result-text.js';
import { isRecord, looseValidator } from './schemas.js';

/** Lines of progress of one call that are passed on. */
const MOST_PROGRESS = 200;

export interface ServerCall {
  readonly server: McpServer;
  /** The server's own name of the tool. */
  readonly original: string;
  readonly outputSchema: JsonSchema | undefined;
  readonly input: unknown;
  readonly context: ToolContext;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly maxResultBytes: number;
}

/** Makes one call and returns its result as text. Rejects with an ArtooError for every other end. */
export async function callServerTool(call: ServerCall): Promise<string> {
  const { server, original, context, input, clock, timeoutMs } = call;
  // The SDK leaves its listener on the signal and would cancel a request that was answered long ago.
  const { controller, unlink } = linkedController(context.signal);
  const watch = watchConnection(server.wire, clock);
  const what = `The call of "${shownName(original)}"`;
  let result: unknown;
  try {
    const request = server.call({ name: original, arguments: input }, {
      signal: controller.signal, timeout: wireTimeout(timeoutMs), onprogress: progressLines(original, context.log),
    });
    result = await Promise.race([request, watch.lost]);
  } catch (error) {
    controller.abort(error);
    throw toFailure(error, { server: server.label, what });
  } finally {
    watch.stop();
    unlink();
  }
  return read(result, call, what);
}

function read(result: unknown, { server, original, outputSchema, maxResultBytes }: ServerCall, what: string): string {
  if (!isRecord(result)) throw garbage(server.label, what);
  const { content = [], structuredContent, isError } = result;
  if (!Array.isArray(content)) throw garbage(server.label, what);
  let text: string;
  try {
    const written = structuredContent !== undefined && !content.some(hasText) ? [stringifyOutput(structuredContent, { max: 4 * maxResultBytes })] : [];
    text = joinWithin([...written, ...partTexts(content)], maxResultBytes);
  } catch (cause) {
    throw garbage(server.label, what, cause);
  }
  if (isError === true) throw reported(text, server.label, original);
  const mismatch = outputSchema === undefined ? undefined : firstIssue(outputSchema, structuredContent);
  if (mismatch !== undefined) {
    throw ToolError.environmental(`The tool "${shownName(original)}" of the MCP server "${server.label}" ran, but its result is not what its output schema says: ${oneLine(mismatch, 300)}`, {
      output: text, hint: 'Whether it did what it should is open: look before you call it again.',
    });
  }
  return text;
}

/** The tool's own words decide whose fault it was, as with any other thrown text. */
function reported(text: string, server: string, original: string): ArtooError {
  return ToolError[classifyToolError(text)](`The tool "${shownName(original)}" of the MCP server "${server}" reported a failure.`, { output: text });
}

function firstIssue(schema: JsonSchema, value: unknown): string | undefined {
  if (value === undefined) return 'there is no structured content';
  let result: StandardResult<unknown>;
  try {
    result = looseValidator(schema)(value);
  } catch {
    return 'it could not be checked';
  }
  return result.issues?.[0] ? result.issues[0].message : undefined;
}

function hasText(part: unknown): boolean {
  return isRecord(part) && part['type'] === 'text' && part['text'] !== '';
}

function progressLines(original: string, log: (line: string) => void): (progress: unknown) => void {
  let lines = 0;
  return (told) => {
    if (!isRecord(told) || typeof told['progress'] !== 'number' || lines >= MOST_PROGRESS) return;
    lines += 1;
    const { progress, total, message } = told;
    log(`${shownName(original)}: ${progress}${typeof total === 'number' ? ` of ${total}` : ''}${typeof message === 'string' ? `, ${oneLine(message, 300)}` : ''}`);
  };
}
