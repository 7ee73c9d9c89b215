import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const keepAliveMs = 30_000;
const statusesWithoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * A `fetch` for Node without a time limit, while Node's own gives up after five minutes. Use it for calls that build
 * something: `new TroveClient({ fetch: fetchWithoutTimeout })`. It follows no redirects.
 */
export async function fetchWithoutTimeout(
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const { url, method, headers, body, signal } = new Request(input, init);
  const send = url.startsWith('https:') ? requestSecure : requestPlain;
  const request = send(url, {
    method,
    headers: Object.fromEntries(headers),
    signal,
    agent: false,
  });
  // Proxies drop connections that are silent for long.
  request.on('socket', (socket) => socket.setKeepAlive(true, keepAliveMs));
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).on('error', reject);
  });
  if (body === null) request.end();
  // The request reports errors of the body, unless a response has arrived.
  else pipeline(Readable.fromWeb(body), request).catch(() => undefined);
  return toResponse(await answered);
}

function toResponse(answer: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = answer;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  }
  if (statusesWithoutBody.has(status)) answer.resume();
  const body = statusesWithoutBody.has(status) ? null : Readable.toWeb(answer);
  return new Response(body, { status, statusText, headers });
}
