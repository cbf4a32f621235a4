import type { Effect, JsonSchema } from '../../contracts/tool.js';
import { canonicalJson, cleanText, headTail } from '../../text/index.js';
import { oneLine } from './client.js';
import { isRecord, refuseSchema } from './schemas.js';

const LONGEST_DESCRIPTION = 4_000;
/** What is kept to compare and to show; beyond, a definition is refused. */
const LONGEST_DEFINITION = 131_072;
const LONGEST_ORIGINAL_NAME = 256;

/** A tool as its server describes it, read and found usable. */
export interface ServerTool {
  /** The server's own name. */
  readonly original: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | undefined;
  readonly annotations: Readonly<Record<string, unknown>>;
  /** SHA-256 of description, input schema and annotations, in hex. */
  readonly version: string;
}

/** An entry of a list that no tool can be made of. */
export interface Unusable { readonly original: string; readonly unusable: string; readonly version: string }

/** Reads one entry of a server's list. Never throws. */
export async function readServerTool(entry: unknown): Promise<ServerTool | Unusable> {
  const original = isRecord(entry) && typeof entry['name'] === 'string' ? entry['name'] : '';
  const refuse = async (unusable: string): Promise<Unusable> => ({ original, unusable, version: await sha256(`unusable: ${unusable}`) });
  if (!isRecord(entry) || original === '') return refuse('it has no name');
  if (original.length > LONGEST_ORIGINAL_NAME) return refuse(`its name is longer than ${LONGEST_ORIGINAL_NAME} characters`);
  const { description = '', inputSchema, outputSchema, annotations = {}, execution } = entry;
  if (typeof description !== 'string') return refuse('its description is no text');
  if (!isRecord(annotations)) return refuse('its annotations are no object');
  if (isRecord(execution) && execution['taskSupport'] === 'required') return refuse('it runs as a task of the server only, which mcpTools does not support');
  const refusal = refuseSchema(inputSchema);
  if (refusal !== undefined) return refuse(refusal);
  const pinned = canonicalJson({ description, inputSchema, annotations });
  if (pinned.length > LONGEST_DEFINITION) return refuse(`its definition is longer than ${LONGEST_DEFINITION} characters`);
  return {
    original, description, annotations, inputSchema: inputSchema as JsonSchema,
    outputSchema: refuseSchema(outputSchema) === undefined ? outputSchema as JsonSchema : undefined,
    version: await sha256(pinned),
  };
}

/** What the tool says it does, where the host trusts the server; else the worst. */
export function effectOfServerTool({ annotations }: ServerTool, trusted: boolean): Effect {
  if (!trusted) return 'irreversible';
  if (annotations['readOnlyHint'] === true) return 'read';
  return annotations['destructiveHint'] === false ? 'write' : 'irreversible';
}

/** Whether a call can reach beyond the server, as far as anybody knows. */
export function isOpenWorld({ annotations }: ServerTool, trusted: boolean): boolean {
  return !trusted || annotations['openWorldHint'] !== false;
}

/** The description for the model: the server's own words, named as such. */
export function describeServerTool({ original, description }: ServerTool, server: string): string {
  const said = headTail(cleanText(description.slice(0, 4 * LONGEST_DESCRIPTION)).trim(), { max: LONGEST_DESCRIPTION, headShare: 0.8 });
  return said === '' ? `The tool "${shownName(original)}" of the MCP server "${server}", which says nothing about it.` : `From the MCP server "${server}": ${said}`;
}

/** The server's name of a tool, fit to be shown. */
export function shownName(original: string): string {
  return oneLine(original, 80) || '(no name)';
}

async function sha256(text: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
