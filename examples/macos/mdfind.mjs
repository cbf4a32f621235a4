// mdfind: looks files up in the Spotlight index, in milliseconds where a search through the disk takes minutes.
import { isAbsolute, join } from 'node:path';
import { defineTool, ToolError } from 'artoo';
import { runProgram } from './run-program.mjs';

const MOST = 500;

/** @param {{ home: string, timeoutMs: number }} options */
export const mdfind = ({ home, timeoutMs }) => defineTool({
  name: 'mdfind',
  description: 'First choice for finding personal files (documents, downloads, pictures, mail attachments): asks the Spotlight index by file name or by words in the content. Returns one path per line. For files of the project use glob.',
  input: {
    type: 'object', additionalProperties: false, anyOf: [{ required: ['name'] }, { required: ['text'] }],
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 255, description: 'A part of the file name.' },
      text: { type: 'string', minLength: 1, maxLength: 500, description: 'Words that the file holds.' },
      folder: { type: 'string', minLength: 1, maxLength: 1_000, description: 'Where to look: ~, ~/Documents, an absolute path. Default: the home folder.' },
      limit: { type: 'integer', minimum: 1, maximum: MOST, description: 'Most paths to return; default 50.' },
    },
  },
  effect: 'read',
  target: ({ name, text }) => String(name ?? text),
  timeoutMs: timeoutMs + 5_000,
  execute: async ({ name, text, folder = '~', limit = 50 }, { signal }) => {
    const words = text === undefined ? [] : [`(kMDItemTextContent == "*${quoted(text)}*"cd)`];
    const names = name === undefined ? [] : [`(kMDItemFSName == "*${quoted(name)}*"cd)`];
    const where = folder === '~' || folder.startsWith('~/') ? join(home, folder.slice(1)) : folder;
    if (!isAbsolute(where)) throw ToolError.logical('The folder must begin with ~ or /.');
    const paths = (await runProgram('mdfind', ['-onlyin', where, [...names, ...words].join(' && ')], { signal, timeoutMs })).split('\n').filter((line) => line !== '');
    if (paths.length === 0) return '';
    return [...paths.slice(0, limit), ...(paths.length > limit ? [`… ${paths.length - limit} more`] : [])].join('\n');
  },
});

/** The query's own marks stand for themselves. */
function quoted(/** @type {string} */ text) {
  return text.replace(/[\\"*]/g, '\\$&');
}
