// shortcuts: lists Apple Shortcuts, and runs one by its name. What a shortcut does can't be known, so a run asks.
import { defineTool, ToolError } from 'artoo';
import { runProgram } from './run-program.mjs';

/** @param {{ timeoutMs: number }} options */
export const shortcuts = ({ timeoutMs }) => defineTool({
  name: 'shortcuts',
  description: 'Lists the Apple Shortcuts of this Mac, or runs one by its exact name. Listing is free, running needs permission. List first: names are not to be guessed.',
  input: {
    type: 'object', additionalProperties: false, required: ['action'],
    properties: { action: { type: 'string', enum: ['list', 'run'] }, name: { type: 'string', minLength: 1, maxLength: 200, description: 'For run: the name as listed.' } },
  },
  effect: ({ action }) => (action === 'list' ? 'read' : 'irreversible'),
  target: ({ action, name }) => (action === 'list' ? 'list' : String(name ?? '')),
  preview: ({ action, name }) => (action === 'list' ? 'lists the shortcuts' : `runs the shortcut ${JSON.stringify(name)}, with all that it does`),
  outward: ({ action, name }) => (action === 'list' ? undefined : [String(name ?? '')]),
  timeoutMs: timeoutMs + 5_000,
  execute: async ({ action, name }, { signal }) => {
    if (action === 'list') return runProgram('shortcuts', ['list'], { signal, timeoutMs });
    if (name === undefined) throw ToolError.logical('To run a shortcut, say its name.', { hint: 'Call with action "list" first.' });
    // The program would take it for an option.
    if (name.startsWith('-')) throw ToolError.logical('A shortcut whose name begins with "-" can not be run from here.');
    return runProgram('shortcuts', ['run', name], { signal, timeoutMs });
  },
});
