import { TroveApiError } from './error.js';

/** Creates the error for a request without a response. */
export function connectionFailed(baseUrl: string, cause: unknown): TroveApiError {
  return new TroveApiError({
    status: 0,
    code: 'connection_failed',
    detail: `no answer from ${baseUrl} (${reasonOf(cause)})`,
    suggestions: ['Start the server with `trove serve start`, or correct the base URL.'],
    cause,
  });
}

/** Creates the error for an incomplete response. */
export function connectionLost(status: number, cause: unknown): TroveApiError {
  return new TroveApiError({
    status,
    code: 'connection_failed',
    detail: `the response broke off (${reasonOf(cause)})`,
    suggestions: ['Try again. The log of the server may tell more.'],
    cause,
  });
}

export function timedOut(timeoutMs: number): TroveApiError {
  return new TroveApiError({
    status: 0,
    code: 'timeout',
    detail: `no complete response within ${timeoutMs} ms`,
    suggestions: ['Raise `timeoutMs`, or request less.'],
  });
}

export function invalidResponse(status: number, what: string, cause?: unknown): TroveApiError {
  return new TroveApiError({
    status,
    code: 'invalid_response',
    detail: what,
    suggestions: ['Check that the base URL belongs to a Trove server.'],
    cause,
  });
}

/** Creates the error for a failed response, in the API's format or any other. `header` is the code from its headers. */
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

/** Returns a string, also from the `{loc, msg}` list of the graph routes. */
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

/** Returns the innermost message, because `fetch` wraps socket errors. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.cause instanceof Error) return reasonOf(cause.cause);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
  return cause.message === '' ? (code ?? cause.name) : cause.message;
}
