import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from '@trove/test-support/listen.js';

/** A received request with its body. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface TestServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly received: Received[];
}

type Answer = (response: ServerResponse, request: Received) => void;

/** Starts an HTTP server on the loopback that answers every request the same way. */
export async function startServer(answer: Answer): Promise<TestServer> {
  const received: Received[] = [];
  const server = await listen((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      const { method = '', url = '', headers } = request;
      received.push({ method, url, headers, body });
      answer(response, { method, url, headers, body });
    })();
  });
  return {
    baseUrl: server.origin,
    received,
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

/** Answers with JSON. */
export function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
