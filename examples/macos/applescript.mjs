// applescript: asks Mail, Calendar, Reminders and their like. Scripts that only look run freely, all others ask.
import { defineTool } from 'artoo';
import { effectOfScript } from './classify-script.mjs';
import { runProgram } from './run-program.mjs';

/** @param {{ timeoutMs: number }} options */
export const applescript = ({ timeoutMs }) => defineTool({
  name: 'applescript',
  description: 'Runs an AppleScript for Mail, Calendar, Reminders, Notes, Contacts and the like; returns its result. Scripts that only read (get, count, properties, whose filters; variables in camelCase) are free. Anything that sends, makes, changes or deletes needs permission.',
  input: { type: 'object', additionalProperties: false, required: ['script'], properties: { script: { type: 'string', minLength: 1, maxLength: 20_000, description: 'AppleScript source.' } } },
  effect: ({ script }) => effectOfScript(script).effect,
  target: ({ script }) => effectOfScript(script).applications.join(', ') || 'AppleScript',
  preview: ({ script }) => {
    const { reason } = effectOfScript(script);
    return reason === undefined ? script : `${reason}\n${script}`;
  },
  // A message that is sent is its script.
  outward: ({ script }) => (effectOfScript(script).effect === 'read' ? undefined : [script]),
  timeoutMs: timeoutMs + 5_000,
  // One argument, read by nobody but AppleScript: there is no shell to inject into.
  execute: ({ script }, { signal }) => runProgram('osascript', ['-l', 'AppleScript', '-e', script], { signal, timeoutMs }),
});
