import { execFileSync, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';

import { freePort } from '@trove/test-support/free-port.js';
import { untrustedCertificate } from './untrusted-certificate.js';

/**
 * What the backend does with a request: let git answer, answer itself, or break off or stall the response after some
 * bytes.
 */
export type GitRequestFault =
  | 'answer'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | { readonly breakAfter: number }
  | { readonly stopAfter: number };

export interface GitHttpBackend {
  /** `127.0.0.1:PORT` */
  readonly host: string;
  readonly asked: readonly string[];
  /** Authorizations of the requests, or '' for none. */
  readonly logins: readonly string[];
  faultOf: (path: string) => GitRequestFault;
  /** The required `user:password`, or undefined for none. */
  login: string | undefined;
  /** Ends all connections and their git processes, and listens again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const program = join(execFileSync('git', ['--exec-path']).toString().trim(), 'git-http-backend');

/** Serves the repositories in a folder with git's own program. */
export async function startHttpBackend(
  root: string,
  { login, isTls = false }: { readonly login?: string; readonly isTls?: boolean } = {},
): Promise<GitHttpBackend> {
  const asked: string[] = [];
  const logins: string[] = [];
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const { url = '/' } = request;
    const sent = request.headers.authorization ?? '';
    asked.push(url);
    logins.push(sent);
    const fate = backend.faultOf(url);
    if (typeof fate === 'object' && 'status' in fate) {
      response.writeHead(fate.status, fate.headers ?? {}).end(fate.body ?? '');
    } else if (backend.login !== undefined && sent !== basic(backend.login)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    } else run(root, request, response, fate);
  };
  const server = isTls ? createTlsServer(untrustedCertificate, serve) : createServer(serve);
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  // No other process gets this port while the server is stopped.
  await listen(await freePort());
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server does not listen');
  const backend: GitHttpBackend = {
    host: `127.0.0.1:${address.port}`,
    asked,
    logins,
    faultOf: () => 'answer',
    login,
    restart: async () => {
      await stop();
      await listen(address.port);
    },
    stop,
  };
  return backend;
}

function basic(login: string): string {
  return `Basic ${Buffer.from(login).toString('base64')}`;
}

/** Runs one request through CGI. */
function run(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
  fate: Exclude<GitRequestFault, { status: number }>,
): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://host');
  const child = spawn(program, [], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(child.stdin).on('error', () => undefined);
  response.on('close', () => child.kill());
  let head = Buffer.alloc(0);
  let left = Infinity;
  if (fate !== 'answer') left = 'breakAfter' in fate ? fate.breakAfter : fate.stopAfter;
  child.stdout.on('data', (piece: Buffer) => {
    if (response.headersSent) return send(piece);
    head = Buffer.concat([head, piece]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return;
    const lines = head.toString('latin1', 0, end).split('\r\n');
    const headers = lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    });
    const status = Number(headers.find(([name]) => name === 'status')?.[1].slice(0, 3) ?? 200);
    response.writeHead(status, Object.fromEntries(headers));
    send(head.subarray(end + 4));
  });
  child.stdout.on('end', () => {
    if (left > 0) response.end();
  });

  function send(piece: Buffer): void {
    if (left <= 0) return;
    response.write(piece.subarray(0, left));
    left -= piece.length;
    if (left <= 0 && fate !== 'answer' && 'breakAfter' in fate) response.destroy();
  }
}
