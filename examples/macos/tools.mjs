// The tools of the reference set for macOS, in the order in which a model should reach for them.
import { homedir } from 'node:os';
import { realpathSync } from 'node:fs';
import { editFile, glob, grep, listFiles, openWorkspace, readFile, shell, webSearch, writeFile } from 'artoo/tools';
import { applescript } from './applescript.mjs';
import { mdfind } from './mdfind.mjs';
import { rewriteFind } from './rewrite-find.mjs';
import { shortcuts } from './shortcuts.mjs';

/**
 * 1 mdfind for personal files, 2 glob for files of the project, 3 single files, 4 applescript for applications,
 * 5 shortcuts, 6 the shell for counting and the rest, 7 the web.
 *
 * @param {object} options
 * @param {string} options.root the project's folder; file tools and the shell are confined to it
 * @param {string} [options.home] where personal files are; default: the user's home
 * @param {import('artoo/tools').ShellOptions['sandbox']} [options.sandbox] of the shell
 * @param {import('artoo/tools').WebSearchOptions | false} [options.search] false leaves the web out
 * @param {number} [options.timeoutMs] for one look-up or script; default 30,000
 * @returns {import('artoo/tools').Tool[]}
 */
export function macosTools({ root, home = homedir(), sandbox, search = {}, timeoutMs = 30_000 }) {
  const workspace = openWorkspace(root);
  return [
    mdfind({ home, timeoutMs }),
    glob({ workspace }), listFiles({ workspace }), grep({ workspace }),
    readFile({ workspace }), writeFile({ workspace }), editFile({ workspace }),
    applescript({ timeoutMs }),
    shortcuts({ timeoutMs }),
    shell({
      workspace,
      ...(sandbox === undefined ? {} : { sandbox }),
      rewrite: rewriteFind({ home: realpathSync(home), root: workspace.root }),
      // Looks things up in the index; -live would wait for ever.
      programs: { mdfind: (parameters) => (parameters.includes('-live') ? 'irreversible' : 'read') },
    }),
    ...(search === false ? [] : [webSearch(search)]),
  ];
}
