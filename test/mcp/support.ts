import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, expect } from 'vitest';
import { mcpTools, runTool, type McpToolsOptions, type ToolRunResult } from '../../src/entries/tools.js';
import type { Tool } from '../../src/contracts/tool.js';
import { systemClock } from '../../src/signals/system-clock.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const serverFile = (name: string): string => `${root}node_modules/@modelcontextprotocol/server-${name}/dist/index.js`;

type Cleanup = () => unknown;
const cleanups: Cleanup[] = [];
const pids: number[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
  const left = pids.splice(0);
  await expect.poll(() => left.filter(isAlive), { timeout: 10_000 }).toEqual([]);
});
export const after = (clean: Cleanup): void => { cleanups.push(clean); };

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export const newClient = (): Client => new Client({ name: 'test-host', version: '1.0.0' });

export interface Stdio { readonly client: Client; readonly pid: number }

/** A server as a child process. It is gone after the test. */
export async function overStdio(args: readonly string[], env: Record<string, string> = {}): Promise<Stdio> {
  const client = newClient();
  const transport = new StdioClientTransport({ command: process.execPath, args: [...args], env, stderr: 'ignore' });
  after(() => client.close());
  await client.connect(transport);
  const pid = transport.pid!;
  pids.push(pid);
  // A server in the middle of a long operation would only go after the SDK's patience.
  after(() => { if (isAlive(pid)) process.kill(pid, 'SIGKILL'); });
  return { client, pid };
}

export interface Http { readonly client: Client; readonly child: ChildProcess; readonly port: number }

/** The server "everything" as a child process that listens on a free port of this machine. */
export async function overHttp(): Promise<Http> {
  const port = await freePort();
  const child = await everythingOn(port);
  const client = newClient();
  after(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)));
  return { client, child, port };
}

async function everythingOn(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [serverFile('everything'), 'streamableHttp'], { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] });
  pids.push(child.pid!);
  after(() => child.kill('SIGKILL'));
  for await (const chunk of child.stderr!) if (String(chunk).includes('listening')) break;
  return child;
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}

export interface FakeTool { name: string; description?: unknown; inputSchema?: unknown; outputSchema?: unknown; annotations?: unknown; execution?: unknown }
export const fake = (name: string, more: Partial<FakeTool> = {}): FakeTool => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object', properties: { text: { type: 'string' } } }, ...more });

type Answer = (name: string, input: Record<string, unknown>, extra: { readonly signal: AbortSignal; readonly progress: (progress: number, total: number, message?: string) => Promise<void> }) => unknown;
export interface FakeServer {
  /** May be replaced while the server runs. */
  tools: FakeTool[];
  answer: Answer;
  /** `[method, name]` of every request. */
  readonly requests: string[];
  readonly server: Server;
  readonly client: Client;
  readonly connect: (client: Client) => Promise<void>;
  readonly announce: () => Promise<void>;
  /** Replaces the answer to tools/list. */
  list: (cursor: string | undefined) => unknown;
}

/** A server made with the SDK's own class, in this process. */
export async function fakeServer(tools: FakeTool[], answer: Answer = (name) => ({ content: [{ type: 'text', text: `${name} ran` }] })): Promise<FakeServer> {
  const make = (): Server => {
    const server = new Server({ name: 'fake', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
      made.requests.push('list');
      return made.list(params?.cursor) as never;
    });
    server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: input = {}, _meta } }, extra) => {
      made.requests.push(`call ${name}`);
      const progress = async (step: number, total: number, message?: string): Promise<void> => {
        await extra.sendNotification({ method: 'notifications/progress', params: { progressToken: _meta!.progressToken!, progress: step, total, ...(message === undefined ? {} : { message }) } });
      };
      return await made.answer(name, input, { signal: extra.signal, progress }) as never;
    });
    return server;
  };
  const made = {
    tools, answer, requests: [] as string[], client: newClient(), list: (): unknown => ({ tools: made.tools }),
    announce: () => made.server.sendToolListChanged(),
    connect: async (client: Client) => {
      made.server = make();
      const [near, far] = InMemoryTransport.createLinkedPair();
      await Promise.all([made.server.connect(far), client.connect(near)]);
    },
  } as unknown as FakeServer & { server: Server };
  after(() => made.client.close());
  await made.connect(made.client);
  return made;
}

/** A client whose server is a function from messages to messages, for what the SDK's server would not send. */
export async function rawServer(answer: (message: { id?: number; method?: string; params?: Record<string, unknown> }, send: (message: unknown) => void) => void): Promise<Client> {
  const client = newClient();
  const [near, far] = InMemoryTransport.createLinkedPair();
  const send = (message: unknown): void => { void far.send(message as never).catch(() => undefined); };
  far.onmessage = (message) => {
    const asked = message as { id?: number; method?: string };
    if (asked.method === 'initialize') send({ jsonrpc: '2.0', id: asked.id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } } });
    else answer(asked, send);
  };
  after(() => client.close());
  await client.connect(near);
  return client;
}

export const named = (tools: readonly Tool[], name: string): Tool => {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`no tool ${name} among ${tools.map((one) => one.name).join(', ')}`);
  return tool;
};

/** The only tool of a fake server, as artoo sees it. */
export async function only(server: FakeServer, options: McpToolsOptions = {}): Promise<Tool> {
  const [tool] = await mcpTools(server.client, options);
  return tool!;
}

export const asks = { signal: new AbortController().signal, workspace: undefined };

/** What the runtime does before it runs a call, in its order, with one input object. */
export async function judge(tool: Tool, input: object): Promise<{ target: string; effect: string; outward: readonly string[] | undefined; preview: string }> {
  const target = tool.target!(input as never);
  const effect = await (tool.effect as (given: never, context: unknown) => Promise<string>)(input as never, asks);
  return { target, effect, outward: tool.outward!(input as never), preview: await tool.preview!(input as never, asks) };
}

export const effectOf = async (tool: Tool, input: object = {}): Promise<string> => (await judge(tool, input)).effect;

/** Runs one input object without asking anybody. */
export function run(tool: Tool, input: object, options: { readonly signal?: AbortSignal; readonly log?: (line: string) => void } = {}): Promise<ToolRunResult> {
  return runTool({ tool, input, intentId: 'call-1', signal: options.signal ?? new AbortController().signal, clock: systemClock, log: options.log });
}
