import { TroveError } from '@trove/core';
import { redirectError } from './failures.js';

/** A request that can be sent again, also to another URL. */
export interface OutgoingRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  /** A stream can be sent only once. */
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}

const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Converts the arguments of `fetch`, without their signals. Throws like `fetch`. */
export async function toOutgoingRequest(
  input: string | URL | Request,
  init: RequestInit | undefined,
  userAgent: string,
): Promise<OutgoingRequest & { readonly redirect: Request['redirect'] }> {
  const request = new Request(input, { ...init, signal: null });
  const { method, headers, redirect, body } = request;
  if (!headers.has('user-agent')) headers.set('user-agent', userAgent);
  const outgoing = { url: new URL(request.url), method, headers, redirect };
  if (body === null || isStream(input, init)) return { ...outgoing, body };
  return { ...outgoing, body: new Uint8Array(await request.arrayBuffer()) };
}

function isStream(input: string | URL | Request, init: RequestInit | undefined): boolean {
  const body: unknown = init?.body ?? (input instanceof Request ? input.body : null);
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** Whether sending the request twice is possible and has the same effect as once. */
export function canRetry({ method, body }: OutgoingRequest): boolean {
  return idempotent.has(method) && canResend(body);
}

export function canResend(body: OutgoingRequest['body']): boolean {
  return body === null || body instanceof Uint8Array;
}

/** Returns the request that a redirect leads to, as `fetch` would make it. Returns null for other responses. */
export function followRedirect(
  outgoing: OutgoingRequest,
  { status, headers }: Response,
): OutgoingRequest | null {
  const location = headers.get('location');
  if (!redirectStatuses.has(status) || location === null) return null;
  if (!URL.canParse(location, outgoing.url.href))
    throw redirectError(outgoing.url, 'redirects to an invalid URL');
  const url = new URL(location, outgoing.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TroveError('path_not_allowed', `${outgoing.url.host} redirects to ${url.protocol}`);
  if (url.username !== '' || url.password !== '')
    throw redirectError(outgoing.url, 'redirects to a URL with credentials');
  if (url.hash === '') url.hash = outgoing.url.hash;
  const allowed = filterHeaders(outgoing.headers, url.origin === outgoing.url.origin);
  if (!becomesGet(outgoing.method, status)) {
    if (!canResend(outgoing.body))
      throw redirectError(outgoing.url, 'redirects a body that cannot be sent again');
    return { ...outgoing, url, headers: allowed };
  }
  for (const name of [...allowed.keys()].filter((each) => each.startsWith('content-')))
    allowed.delete(name);
  return { url, method: 'GET', headers: allowed, body: null };
}

function becomesGet(method: string, status: number): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD';
  return (status === 301 || status === 302) && method === 'POST';
}

/** Headers that may be sent to another origin, because they hold no credentials. */
const crossOriginHeaders = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'pragma',
  'range',
  'user-agent',
]);

/** Removes other headers for another origin, because a service may use any header for credentials. */
function filterHeaders(headers: Headers, isSameOrigin: boolean): Headers {
  const allowed = new Headers(headers);
  if (isSameOrigin) return allowed;
  for (const name of [...allowed.keys()].filter((each) => !crossOriginHeaders.has(each)))
    allowed.delete(name);
  return allowed;
}
