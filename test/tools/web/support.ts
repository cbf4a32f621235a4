import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createRawServer, type Server as RawServer, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import { fetchUrlOver, webSearchOver } from '../../../src/adapters/node-web.js';
import { nodeWebTransport, type NodeWebSeams } from '../../../src/adapters/node-web-transport.js';
import type { FetchUrlOptions, Tool, WebSearchOptions } from '../../../src/entries/tools.js';
import type { ToolRunResult } from '../../../src/tools/run-tool.js';
import { call } from '../support.js';

/** A server on loopback. `paths` is what was asked for, in order; `idle` resolves when no connection is open any more. */
export interface TestServer {
  readonly port: number;
  readonly origin: string;
  readonly host: string;
  readonly requests: readonly IncomingMessage[];
  readonly paths: readonly (string | undefined)[];
  readonly idle: () => Promise<void>;
}

/** Starts servers that are closed, with their connections, after each test. */
export function useServers() {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });
  const listen = async (server: Server | RawServer, requests: IncomingMessage[], scheme = 'http'): Promise<TestServer> => {
    const open = new Set<Socket>();
    const waiting: (() => void)[] = [];
    server.on('connection', (socket: Socket) => {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        if (open.size === 0) for (const done of waiting.splice(0)) done();
      });
    });
    await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    closing.push(() => {
      server.close();
      for (const socket of open) socket.destroy();
    });
    const { port } = server.address() as { port: number };
    return {
      port, host: `127.0.0.1:${port}`, origin: `${scheme}://127.0.0.1:${port}`, requests,
      get paths() { return requests.map(({ url }) => url); },
      idle: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => { waiting.push(resolve); })),
    };
  };
  const noting = (requests: IncomingMessage[], handler: RequestListener): RequestListener => (request, response) => {
    requests.push(request);
    handler(request, response);
  };
  return {
    serve(handler: RequestListener): Promise<TestServer> {
      const requests: IncomingMessage[] = [];
      return listen(createServer(noting(requests, handler)), requests);
    },
    serveSecure(handler: RequestListener): Promise<TestServer> {
      const requests: IncomingMessage[] = [];
      return listen(createSecureServer({ key: SECURE_KEY, cert: SECURE_CERTIFICATE }, noting(requests, handler)), requests, 'https');
    },
    serveRaw(talk: (socket: Socket) => void): Promise<TestServer> {
      // A socket that nobody reads never learns that the other side has gone.
      return listen(createRawServer((socket) => { socket.resume(); talk(socket); }), []);
    },
  };
}

/** Answers with a body. */
export function answer(body: string | Uint8Array, headers: Readonly<Record<string, string>> = { 'content-type': 'text/plain' }, status = 200): RequestListener {
  return (_request, response) => void response.writeHead(status, headers).end(body);
}

export function redirect(response: ServerResponse, location: string, status = 302): void {
  response.writeHead(status, { location }).end();
}

/** fetchUrl with other parts of the network. */
export function fetchWith(options: FetchUrlOptions, seams: NodeWebSeams = {}): Tool {
  return fetchUrlOver(options, nodeWebTransport(seams));
}
export function searchWith(options: WebSearchOptions, seams: NodeWebSeams = {}): Tool {
  return webSearchOver(options, nodeWebTransport(seams));
}

/** A call of fetchUrl that may reach loopback. */
export function get(url: string, options: FetchUrlOptions = {}, input: Readonly<Record<string, unknown>> = {}): Promise<ToolRunResult> {
  return call(fetchWith({ allowPrivate: true, timeoutMs: 10_000, ...options }), { url, ...input });
}

/** The text under the head. */
export function bodyOf({ text }: ToolRunResult): string {
  return text.slice(text.indexOf('\n\n') + 2);
}

/** The lines over the text. */
export function headOf({ text }: ToolRunResult): Readonly<Record<string, string>> {
  return Object.fromEntries(text.slice(0, text.indexOf('\n\n')).split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
}

/** For secure.example.org, made for these tests and trusted nowhere. */
export const SECURE_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBsTCCAVagAwIBAgIUXOrCp9MKAw+TUB8OpRJ/5gGnn0owCgYIKoZIzj0EAwIw
HTEbMBkGA1UEAwwSc2VjdXJlLmV4YW1wbGUub3JnMCAXDTI2MTEyMjAxNTEwOVoY
DzIxMjYxMDI5MDE1MTA5WjAdMRswGQYDVQQDDBJzZWN1cmUuZXhhbXBsZS5vcmcw
WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASJV9k+VfPFXU2KfTrrnuAOj/Fozf26
fAcrVzK6wB8FDFmTgjLY/ZHk7DmPI6nLZ3l0dxpcpYpa8/9Iqv7I91U2o3IwcDAd
BgNVHQ4EFgQUXP1N2egYDy830d7bjgmR7PAJMCIwHwYDVR0jBBgwFoAUXP1N2egY
Dy830d7bjgmR7PAJMCIwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHREEFjAUghJzZWN1
cmUuZXhhbXBsZS5vcmcwCgYIKoZIzj0EAwIDSQAwRgIhAK3cVpecmxVXA3VDOLq5
yl420zdQH8KreP9EjpOKig0/AiEAuBLw073Eu9DqnyBIK47pe2uObvJFz4fA5/sF
0R1CToc=
-----END CERTIFICATE-----
`;
const SECURE_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxsNA2OLGtuvX3Sdr
/sbtLcQMBnl27gWmlIlluXO+xsehRANCAASJV9k+VfPFXU2KfTrrnuAOj/Fozf26
fAcrVzK6wB8FDFmTgjLY/ZHk7DmPI6nLZ3l0dxpcpYpa8/9Iqv7I91U2
-----END PRIVATE KEY-----
`;
