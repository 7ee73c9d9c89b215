import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { TroveError, type ErrorCode, type Logger } from '@trove/core';
import { errorEnvelope } from '@trove/operations';
import { allowedMethods } from './cors.js';

interface ProtocolError {
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
  readonly headers?: readonly string[];
}

const tooLarge: ProtocolError = {
  status: 431,
  code: 'payload_too_large',
  detail: 'header: the headers are too large',
};
const tooSlow: ProtocolError = {
  status: 408,
  code: 'timed_out',
  detail: 'The request arrived too slowly',
};
const notHttp: ProtocolError = {
  status: 400,
  code: 'validation_error',
  detail: 'The request is not valid HTTP',
};
const noProxy: ProtocolError = {
  status: 405,
  code: 'method_not_allowed',
  detail: 'The server is not a proxy',
  headers: [`Allow: ${allowedMethods}`],
};

const lingerMs = 1000;

/** A request with its response in progress. */
interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Sends the error envelope for requests that never reach a route: invalid HTTP, too slow, or meant for a proxy.
 * Earlier responses on the same connection are sent first. Returns a function that refuses a request whose body
 * arrives too slowly.
 */
export function answerMalformed(
  server: Server,
  logger: Logger,
): (request: IncomingMessage) => void {
  const exchanges = new WeakMap<Duplex, readonly HttpExchange[]>();
  const refused = new WeakSet<Duplex>();
  const open = (socket: Duplex): readonly HttpExchange[] =>
    (exchanges.get(socket) ?? []).filter(isOpen);
  const remember = (request: IncomingMessage, response: ServerResponse): void =>
    void exchanges.set(request.socket, [...open(request.socket), { request, response }]);
  const refuse = async (socket: Duplex, refusal: ProtocolError, error?: Error): Promise<void> => {
    // Everything else on the connection is refused with it.
    if (refused.has(socket)) return;
    refused.add(socket);
    const requestId = randomUUID();
    logger.debug('malformed request', { request_id: requestId, status: refusal.status, error });
    const pending = open(socket);
    const incomplete = pending.find(({ request }) => !request.complete);
    await Promise.all(pending.filter((exchange) => exchange !== incomplete).map(waitForClose));
    if (incomplete?.response.headersSent === true) await waitForClose(incomplete);
    else if (socket.writable) socket.write(formatResponse(refusal, requestId));
    // A client that is still sending would lose the response if the connection were destroyed immediately.
    socket.end();
    const leaving = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(leaving));
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
    server.prependListener(event, remember);
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else void refuse(socket, protocolErrorOf(error.code), error);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    void refuse(socket, noProxy);
  });
  return ({ socket }) => void refuse(socket, tooSlow);
}

/** A body may continue after its response and turn out malformed. */
function isOpen({ request, response }: HttpExchange): boolean {
  return !response.closed || !request.complete;
}

function waitForClose({ response }: HttpExchange): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) return resolve();
    response.setMaxListeners(response.getMaxListeners() + 1);
    response.once('close', resolve);
  });
}

function protocolErrorOf(code: string | undefined): ProtocolError {
  if (code === 'HPE_HEADER_OVERFLOW') return tooLarge;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow;
  return notHttp;
}

function formatResponse(
  { status, code, detail, headers = [] }: ProtocolError,
  requestId: string,
): string {
  const error = new TroveError(code, detail, { suggestions: ['Send a well-formed request.'] });
  const body = JSON.stringify(errorEnvelope.body(error));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...headers,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
