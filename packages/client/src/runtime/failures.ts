import { TroveApiError } from './error.js';

/** The error for a request without a response. */
export function connectionFailed(baseUrl: string, cause: unknown): TroveApiError {
  return new TroveApiError({
    status: 0,
    code: 'connection_failed',
    detail: `no answer from ${baseUrl} (${reasonOf(cause)})`,
    suggestions: ['Start the server with `trove serve start`, or correct the base URL.'],
    cause,
  });
}

/** The error for a response that broke off. */
export function connectionLost(status: number, cause: unknown): TroveApiError {
  return new TroveApiError({
    status,
    code: 'connection_failed',
    detail: `the answer broke off (${reasonOf(cause)})`,
    suggestions: ['Try again; the log of the server may say more.'],
    cause,
  });
}

export function timedOut(timeoutMs: number): TroveApiError {
  return new TroveApiError({
    status: 0,
    code: 'timeout',
    detail: `no complete answer within ${timeoutMs} ms`,
    suggestions: ['Allow more time with `timeoutMs`, or ask for less.'],
  });
}

export function invalidResponse(status: number, what: string, cause?: unknown): TroveApiError {
  return new TroveApiError({
    status,
    code: 'invalid_response',
    detail: what,
    suggestions: ['Check that the base URL is that of a Trove server.'],
    cause,
  });
}

/** The error in a failed response, whether or not in the API's envelope; `header`: the code that its headers name. */
export function apiError(
  status: number,
  statusText: string,
  body: string,
  header: string | null,
): TroveApiError {
  const envelope = parseObject(body);
  const code = envelope['code'];
  return new TroveApiError({
    status,
    code: typeof code === 'string' ? code : (header ?? 'http_error'),
    detail: detailOf(envelope['detail']) ?? `HTTP ${status} ${statusText}${excerpt(body)}`,
    suggestions: texts(envelope['suggestions']),
  });
}

function parseObject(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** A string, or the list of `{loc, msg}` with which the graph routes answer an invalid request. */
function detailOf(detail: unknown): string | undefined {
  if (typeof detail === 'string') return detail;
  if (!Array.isArray(detail)) return undefined;
  return detail
    .filter(isRecord)
    .map(({ loc, msg }) => `${Array.isArray(loc) ? loc.join('.') : ''}: ${String(msg)}`)
    .join('; ');
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function excerpt(body: string): string {
  const line = body
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line === '' ? '' : `: ${line.slice(0, 200)}`;
}

/** The innermost message: fetch wraps the socket's error. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.cause instanceof Error) return reasonOf(cause.cause);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
  return cause.message === '' ? (code ?? cause.name) : cause.message;
}
