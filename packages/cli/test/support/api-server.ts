import type { IncomingHttpHeaders } from 'node:http';

import { machineId } from '@trove/connector-file/local';
import { listen } from '@trove/test-support/listen.js';

/** A received request. */
export interface Received {
  readonly route: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  /** Breaks the connection without an answer. */
  readonly drop: () => unknown;
}

/** Answers with JSON and status 200, or with the result of `fail` or `events`. */
export type Routes = Readonly<Record<string, (request: Received) => unknown>>;

export interface ApiServer extends AsyncDisposable {
  readonly endpoint: string;
  readonly received: Received[];
}

class Failed {
  readonly status: number;
  readonly envelope: object;

  constructor(status: number, envelope: object) {
    this.status = status;
    this.envelope = envelope;
  }
}

/** Creates an error answer. */
export function fail(status: number, code: string, detail: string, suggestions: string[] = []) {
  return new Failed(status, { code, detail, suggestions });
}

class Events {
  readonly blocks: AsyncIterable<string>;

  constructor(blocks: AsyncIterable<string>) {
    this.blocks = blocks;
  }
}

/** Creates an answer of server-sent events: `[name, data]`. */
export function events(
  items: AsyncIterable<readonly [string, unknown]> | Iterable<readonly [string, unknown]>,
) {
  return new Events(
    (async function* () {
      for await (const [name, data] of items)
        yield `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    })(),
  );
}

/** By default, the server runs on this machine. */
const here = async () => ({ version: '0', machine_id: await machineId(''), namespace: 'default' });

/** Starts an HTTP server on the loopback that implements the API. Routes have names such as `GET /v1/ls`. */
export async function startApi(routes: Routes): Promise<ApiServer> {
  const received: Received[] = [];
  const server = await listen((request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request.setEncoding('utf8')) text += chunk;
      const url = new URL(request.url ?? '', 'http://localhost');
      const route = `${request.method} ${url.pathname}`;
      const query = Object.fromEntries(url.searchParams);
      const isJson = request.headers['content-type']?.includes('json') === true;
      const body: unknown = text === '' ? undefined : isJson ? JSON.parse(text) : text;
      const drop = () => request.socket.destroy();
      const item = { route, query, body, headers: request.headers, drop };
      const isAskedForMachine = route === 'GET /v1/server/info' && routes[route] === undefined;
      if (!isAskedForMachine) received.push(item);
      const answer = isAskedForMachine
        ? await here()
        : ((await routes[route]?.(item)) ?? fail(404, 'not_found', `no route ${route}`));
      if (request.socket.destroyed) return undefined;
      if (answer instanceof Events) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for await (const block of answer.blocks) response.write(block);
        return response.end();
      }
      const failed = answer instanceof Failed;
      response.writeHead(failed ? answer.status : 200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(failed ? answer.envelope : answer));
    })();
  });
  return {
    endpoint: server.origin,
    received,
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
