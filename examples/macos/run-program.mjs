// Runs one program with arguments: no shell, no keyboard, a limit on time and output, and nothing of it left behind.
import { spawn } from 'node:child_process';
import { ToolError } from 'artoo';

const GRACE_MS = 500;
const MAX_OUTPUT = 200_000;
/** Programs get these variables of the host and no other: tokens in the environment are none of their business. */
const VARIABLES = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TMPDIR'];

/**
 * Resolves with what the program printed. Rejects with a ToolError: environmental where the program is missing, was
 * stopped or took too long, logical where it ended with another code than 0.
 *
 * @param {string} program found on the PATH
 * @param {readonly string[]} parameters handed over as they are, never read by a shell
 * @param {{ signal: AbortSignal, timeoutMs: number }} limits
 * @returns {Promise<string>}
 */
export function runProgram(program, parameters, { signal, timeoutMs }) {
  if (parameters.some((parameter) => parameter.includes('\0'))) return Promise.reject(ToolError.logical('The input holds a NUL character.'));
  return new Promise((resolve, reject) => {
    const env = Object.fromEntries(VARIABLES.filter((name) => process.env[name] !== undefined).map((name) => [name, process.env[name]]));
    const child = spawn(program, parameters, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const output = { stdout: '', stderr: '' };
    let stopped = '';
    let settled = false;
    const settle = (/** @type {() => void} */ end) => {
      if (settled) return;
      settled = true;
      clearTimeout(limit);
      signal.removeEventListener('abort', abort);
      end();
    };
    const kill = (/** @type {NodeJS.Signals} */ name) => {
      // Detached, the child leads a group of its own: what it started ends with it.
      try { if (child.pid !== undefined) process.kill(-child.pid, name); } catch (error) { if (error.code !== 'ESRCH') throw error; }
    };
    const stop = (/** @type {string} */ reason) => {
      if (stopped !== '') return;
      stopped = reason;
      kill('SIGTERM');
      // A grandchild may hold the pipes open for ever, so this does not wait for `close`.
      setTimeout(() => {
        kill('SIGKILL');
        child.stdout.destroy();
        child.stderr.destroy();
        settle(() => reject(ToolError.environmental(reason)));
      }, GRACE_MS);
    };
    const abort = () => stop(`${program} was stopped.`);
    const limit = setTimeout(() => stop(`${program} did not end within ${timeoutMs} ms and was stopped.`), timeoutMs);
    for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
      child[name].setEncoding('utf8').on('data', (text) => { if (output[name].length < MAX_OUTPUT) output[name] += text; });
    }
    child.on('error', (cause) => settle(() => reject(ToolError.environmental(`${program} could not be started: ${cause.code ?? cause.message}.`, { cause, hint: 'This tool needs macOS.' }))));
    child.on('close', (code) => {
      if (stopped !== '') return;
      settle(() => (code === 0 ? resolve(output.stdout) : reject(ToolError.logical(`${program} ended with code ${code}.`, { output: `${output.stdout}${output.stderr}` }))));
    });
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
