import { ArtooError } from '../contracts/errors.js';
import type { LLMToolDescription } from '../contracts/llm.js';
import type { Tool } from '../contracts/tool.js';

/** The tools of a host. Names come from models, so that they never index an object. */
export interface ToolRegistry {
  readonly names: readonly string[];
  get(name: string): Tool | undefined;
  has(name: string): boolean;
  /** In the order given; names of no tool and repeated names are left out. */
  describe(names: readonly string[]): LLMToolDescription[];
}

/**
 * Holds tools by name. Throws ARTOO_TOOL_INVALID for two tools of one name and for things that are no tools.
 *
 * @example
 * import { createToolRegistry, workspaceTools } from 'artoo/tools';
 * const registry = createToolRegistry(workspaceTools({ root: '.' }));
 * registry.get('readFile')?.description;
 */
export function createToolRegistry(tools: readonly Tool[]): ToolRegistry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    if (!isTool(tool)) {
      throw new ArtooError('ARTOO_TOOL_INVALID', `An entry of \`tools\` is no tool: ${describeStranger(tool)}.`, { hint: 'Make each tool with defineTool(…).' });
    }
    if (byName.has(tool.name)) {
      throw new ArtooError('ARTOO_TOOL_INVALID', `Two tools have the name "${tool.name}".`, { hint: 'Give each tool its own name; the tools of MCP servers get one with `prefix`.' });
    }
    byName.set(tool.name, tool);
  }
  return {
    names: [...byName.keys()],
    get: (name) => byName.get(name),
    has: (name) => byName.has(name),
    describe: (names) => [...new Set(names)].flatMap((name) => {
      const tool = byName.get(name);
      return tool ? [{ name: tool.name, description: tool.description, inputSchema: tool.inputSchema }] : [];
    }),
  };
}

function isTool(tool: unknown): tool is Tool {
  if (typeof tool !== 'object' || tool === null) return false;
  const { name, description, inputSchema, validate, effect, execute } = tool as Partial<Tool>;
  return typeof name === 'string' && typeof description === 'string' && typeof inputSchema === 'object' && typeof validate === 'function'
    && (typeof effect === 'string' || typeof effect === 'function') && typeof execute === 'function';
}

function describeStranger(value: unknown): string {
  if (Array.isArray(value)) return 'an array (spread it: [...workspaceTools({ root })])';
  const name = typeof value === 'object' && value !== null ? (value as { readonly name?: unknown }).name : undefined;
  return typeof name === 'string' ? `an object named ${JSON.stringify(name.slice(0, 64))}` : value === null ? 'null' : `a value of type ${typeof value}`;
}
