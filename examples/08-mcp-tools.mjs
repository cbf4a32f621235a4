// Tools of an MCP server: reading is free since the host trusts the server, overwriting is asked about.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createArtoo } from 'artoo';
import { ScriptedLLM } from 'artoo/testing';
import { mcpTools } from 'artoo/tools';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'artoo-mcp-')));
const path = join(folder, 'shopping.txt');
writeFileSync(path, 'tea\n');

// The published file server as a child process, confined to the folder.
const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(new StdioClientTransport({
  command: process.execPath,
  args: [fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js')), folder],
  stderr: 'ignore',
}));
const tools = await mcpTools(client, { trusted: true, prefix: 'fs', include: ['read_text_file', 'write_file'] });
console.log(tools.map(({ name }) => name).join(', '));

// A script instead of a model keeps the example still; any LLMClient will do.
const llm = new ScriptedLLM([
  { role: 'R1', reply: { slug: 'add_salt', intent: 'Put salt on the shopping list.' } },
  { role: 'R2', reply: {
    taskCriteria: [{ criterion: 'The result says what was added', about: 'result' }],
    subtasks: [{ intent: 'Read the list and write it with salt', successCriteria: [{ criterion: 'the list was written', check: { type: 'toolSucceeded', tool: 'fs_write_file' } }], sequence: 0, tools: ['fs_read_text_file', 'fs_write_file'] }],
  } },
  { role: 'R3', reply: { toolCalls: [{ name: 'fs_read_text_file', input: { path } }] } },
  { role: 'R3', reply: { toolCalls: [{ name: 'fs_write_file', input: { path, content: 'tea\nsalt\n' } }] } },
  { role: 'R3', reply: { status: 'completed', output: 'Salt is on the list, after tea.' } },
  { role: 'R4b', reply: { summary: 'Added salt.', mergedOutput: 'Salt is on the list, after tea.', verdicts: [{ index: 0, verdict: 'pass', evidence: 'Salt is on the list' }] } },
]);

const artoo = createArtoo({
  models: { brain: llm, tool: llm }, tools,
  confirm: ({ tool, preview }) => {
    console.log(`asked: ${tool}, ${preview.split('\n')[0]}`);
    return 'allow';
  },
});
const { directive, output } = await artoo.run('Put salt on my shopping list.').result;
console.log(directive, '-', output);
console.log(JSON.stringify(readFileSync(path, 'utf8')));

await artoo.close();
await client.close();
rmSync(folder, { recursive: true });
