import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Exchange { readonly body: Record<string, unknown>; readonly headers: IncomingMessage['headers']; readonly url: string; readonly response: ServerResponse }
export type Answer = (exchange: Exchange) => void | Promise<void>;

/** A real HTTP server that answers each request with the next answer; the last one is repeated. */
export class OpenAIServer {
  readonly requests: Exchange[] = [];
  private readonly arrivals: (() => void)[] = [];
  private constructor(private readonly server: Server, readonly baseURL: string) {}

  static async start(...answers: Answer[]): Promise<OpenAIServer> {
    let self: OpenAIServer | undefined;
    const server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(pieces).toString() || '{}') as Record<string, unknown>;
        const exchange = { body, headers: request.headers, url: request.url ?? '', response };
        const answer = answers[Math.min(self!.requests.length, answers.length - 1)]!;
        self!.requests.push(exchange);
        for (const arrived of self!.arrivals.splice(0)) arrived();
        void answer(exchange);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    self = new OpenAIServer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
    return self;
  }

  /** Resolves when that many requests have arrived. */
  async arrived(count: number): Promise<void> {
    while (this.requests.length < count) await new Promise<void>((resolve) => this.arrivals.push(resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => ({ response }) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
};

export const refusal = (message: string, extra: Record<string, unknown> = {}): Answer => json(400, { error: { message, type: 'invalid_request_error', ...extra } });

export const delta = (content: Record<string, unknown>, finish: string | null = null): unknown => ({
  id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: content, finish_reason: finish }],
});

export function begin(response: ServerResponse, ...chunks: unknown[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const chunk of chunks) response.write(`data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`);
}

/** A whole stream: the chunks, then the end mark. */
export const stream = (...chunks: unknown[]): Answer => ({ response }) => {
  begin(response, ...chunks, '[DONE]');
  response.end();
};

export const says = (text: string, finish = 'stop'): Answer => stream(delta({ role: 'assistant', content: text }), delta({}, finish));

export const completion = (message: Record<string, unknown>, extra: Record<string, unknown> = {}): Answer =>
  json(200, { id: 'c', object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', ...extra }] });
