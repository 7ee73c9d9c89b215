import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { TroveError } from '@trove/core';

/** Receives the address to which the browser returns. */
export interface RedirectListener {
  /** `http://127.0.0.1:PORT` */
  readonly redirectUri: string;
  /** Resolves with the first accepted address. Rejects when the signal aborts. */
  received(): Promise<URL>;
  close(): Promise<void>;
}

export interface RedirectListenerOptions {
  /** 0: a free port. */
  readonly port: number;
  /** Whether the address belongs to this login. Others are refused, and the listener goes on. */
  readonly accepts: (url: URL) => boolean;
  /** Reads addresses that a person pastes, for a browser on another machine. Null: none. */
  readonly input: NodeJS.ReadableStream | null;
  /** Called for a pasted text that is refused. */
  readonly onRefused: () => void;
  readonly signal: AbortSignal;
}

/** Listens on this machine only. Throws `config_invalid` if the port is in use. */
export async function listenForRedirect(
  options: RedirectListenerOptions,
): Promise<RedirectListener> {
  const { accepts, input, onRefused, signal } = options;
  const { promise, resolve, reject } = settleLater<URL>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const isAccepted = request.method === 'GET' && accepts(url);
    answer(request, response, isAccepted);
    if (isAccepted) resolve(url);
  });
  const port = await listen(server, options.port);
  const lines = input === null ? null : createInterface({ input, terminal: false });
  lines?.on('line', (line) => {
    const text = line.trim();
    if (URL.canParse(text) && accepts(new URL(text))) resolve(new URL(text));
    else if (text !== '') onRefused();
  });
  const abort = (): void => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return {
    redirectUri: `http://127.0.0.1:${port}`,
    received: () => promise,
    close: async () => {
      signal.removeEventListener('abort', abort);
      lines?.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function answer(request: IncomingMessage, response: ServerResponse, isAccepted: boolean): void {
  const text = isAccepted
    ? 'Trove has received the answer. Close this page and return to the terminal.'
    : 'This page belongs to no login that is waiting. Return to the terminal.';
  request.resume();
  response
    .writeHead(isAccepted ? 200 : 404, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      connection: 'close',
    })
    .end(`${text}\n`);
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((done, fail) => {
    server.once('error', (cause) =>
      fail(
        new TroveError('config_invalid', `Port ${port} of 127.0.0.1 cannot be used`, {
          cause,
          suggestions: ['Choose another one with --port, or leave the option out.'],
        }),
      ),
    );
    server.listen(port, '127.0.0.1', done);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

function settleLater<T>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
} {
  const settle: { resolve(value: T): void; reject(reason: unknown): void } = {
    resolve: () => undefined,
    reject: () => undefined,
  };
  const promise = new Promise<T>((resolve, reject) => Object.assign(settle, { resolve, reject }));
  promise.catch(() => undefined);
  return {
    promise,
    resolve: (value) => settle.resolve(value),
    reject: (why) => settle.reject(why),
  };
}
