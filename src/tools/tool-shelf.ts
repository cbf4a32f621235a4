import { ArtooError } from '../contracts/errors.js';
import type { LLMToolDescription } from '../contracts/llm.js';
import type { Tool, Workspace } from '../contracts/tool.js';
import { createToolRegistry, type ToolRegistry } from './registry.js';

/** The tools of one artoo: those it was made with, and those that single runs brought along. */
export class ToolShelf implements ToolRegistry {
  private readonly own: ToolRegistry;
  private readonly brought = new Map<string, Tool>();

  constructor(tools: readonly Tool[]) {
    this.own = createToolRegistry(tools);
  }

  get names(): readonly string[] {
    return this.own.names;
  }

  get(name: string): Tool | undefined {
    return this.own.get(name) ?? this.brought.get(name);
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  describe(names: readonly string[]): LLMToolDescription[] {
    return createToolRegistry([...new Set(names)].flatMap((name) => this.get(name) ?? [])).describe(names);
  }

  /** The names that a run may use. Throws ARTOO_INVALID_ARGUMENT for a name of no tool, or a tool whose name is taken. */
  namesFor(asked: readonly (string | Tool)[] | undefined): readonly string[] {
    if (asked === undefined || !Array.isArray(asked)) return this.own.names;
    return asked.map((item: string | Tool) => {
      if (typeof item === 'string') {
        if (this.has(item)) return item;
        throw new ArtooError('ARTOO_INVALID_ARGUMENT', `There is no tool "${item}".`, { hint: `Known: ${this.own.names.join(', ') || 'none'}.` });
      }
      const [name] = createToolRegistry([item]).names;
      const known = this.get(name!);
      if (known && known !== item) throw new ArtooError('ARTOO_INVALID_ARGUMENT', `Another tool is named "${name}" already.`, { hint: 'Give each tool its own name.' });
      this.brought.set(name!, item);
      return name!;
    });
  }

  /** The folder of the first of these tools that is bound to one. */
  workspaceOf(names: readonly string[]): Workspace | undefined {
    for (const name of names) {
      const workspace = this.get(name)?.workspace;
      if (workspace) return workspace;
    }
    return undefined;
  }
}
