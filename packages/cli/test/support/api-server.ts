import type { IncomingHttpHeaders } from 'node:http';

import { machineId } from '@trove/connector-file/local';
import { listen } from '@trove/test-support/listen.js';

/** What a request held. */
export interface Received {
  readonly route: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  /** Breaks the connection off, answering nothing. */
  readonly drop: () => unknown;
}

/** An answer: JSON with status 200, or what `fail` makes. */
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

/** An answer that is an error. */
export function fail(status: number, code: string, detail: string, suggestions: string[] = []) {
  return new Failed(status, { code, detail, suggestions });
}

/** The command asks which machine the server runs on: on this one, unless a test says otherwise. */
const here = async () => ({ version: '0', machine_id: await machineId(''), namespace: 'default' });

/** A real HTTP server on the loopback that speaks the API; routes are named `GET /v1/ls`. */
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
      if (request.socket.destroyed) return;
      const failed = answer instanceof Failed;
      response.writeHead(failed ? answer.status : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(failed ? answer.envelope : answer));
    })();
  });
  return {
    endpoint: server.origin,
    received,
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
