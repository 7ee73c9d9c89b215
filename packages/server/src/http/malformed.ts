import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from '@trove/core';
import type { ErrorEnvelope } from './errors.js';

const tooLarge = {
  status: 431,
  code: 'payload_too_large',
  detail: 'header: the headers are too large',
};
const tooSlow = { status: 408, code: 'timed_out', detail: 'The request came in too slowly' };
const notHttp = { status: 400, code: 'validation_error', detail: 'The request is not valid HTTP' };

/** Answers what never became a request, because it is no valid HTTP or too slow, in the envelope too. */
export function answerMalformed(server: Server, logger: Logger): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const requestId = randomUUID();
    logger.debug('malformed request', { request_id: requestId, error });
    socket.end(answer(answerTo(error.code), requestId), () => socket.destroy());
  });
}

function answerTo(code: string | undefined): typeof notHttp {
  if (code === 'HPE_HEADER_OVERFLOW') return tooLarge;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow;
  return notHttp;
}

function answer({ status, code, detail }: typeof notHttp, requestId: string): string {
  const envelope: ErrorEnvelope = { code, detail, suggestions: ['Send a well-formed request.'] };
  const body = JSON.stringify(envelope);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
