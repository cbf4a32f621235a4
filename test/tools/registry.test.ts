import { describe, expect, it } from 'vitest';
import { ArtooError } from '../../src/contracts/errors.js';
import { defineTool } from '../../src/tools/define-tool.js';
import { createToolRegistry } from '../../src/tools/registry.js';

const make = (name: string) => defineTool({ name, description: `Does ${name}.`, input: { type: 'object' }, effect: 'read', execute: () => name });

describe('the registry', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'Echo'])('knows no tool named %j', (name) => {
    const registry = createToolRegistry([make('echo')]);
    expect([registry.get(name), registry.has(name), registry.describe([name])]).toEqual([undefined, false, []]);
  });
  it('finds tools whose names objects have too', () => {
    expect(createToolRegistry([make('constructor')]).get('constructor')?.name).toBe('constructor');
  });
  it('refuses two tools of one name', () => {
    expect(() => createToolRegistry([make('a'), make('b'), make('a')])).toThrow(/Two tools have the name "a"/);
  });
  it.each([[null], [undefined], [{ name: 'x' }], [[make('a')]]])('refuses what is no tool: %j', (thing) => {
    let caught: unknown;
    try { createToolRegistry([thing as never]); } catch (error) { caught = error; }
    expect(ArtooError.is(caught, 'ARTOO_TOOL_INVALID')).toBe(true);
  });
  it('describes in the order asked for, once each', () => {
    const registry = createToolRegistry([make('a'), make('b'), make('c')]);
    expect(registry.names).toEqual(['a', 'b', 'c']);
    expect(registry.describe(['c', 'a', 'nope', 'c'])).toEqual([
      { name: 'c', description: 'Does c.', inputSchema: { type: 'object' } },
      { name: 'a', description: 'Does a.', inputSchema: { type: 'object' } },
    ]);
  });
});
