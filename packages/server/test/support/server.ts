import type { Logger, LogFields } from '@trove/core';
import type { Trove } from 'trove';
import type { Auth } from '../../src/auth/auth.js';
import { startHost, type Host, type HostOptions } from '../../src/host.js';
import { stubEngine } from './stub-engine.js';

export const token = 'a-token-for-tests';
export const knownToken: Auth = { mode: 'known', token };

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}

/** A logger that records its entries. */
export function memoryLog(): { readonly lines: LogLine[]; readonly logger: Logger } {
  const lines: LogLine[] = [];
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}): void =>
      void lines.push({ level, message, fields });
  const logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return { lines, logger };
}

/** Runs a test with its own server on a free port. */
export async function withHost(
  methods: Partial<Trove>,
  test: (host: Host) => Promise<void>,
  options: Partial<HostOptions> = {},
): Promise<void> {
  const host = await startHost({
    engine: stubEngine(methods),
    bind: { host: '127.0.0.1', port: 0 },
    auth: knownToken,
    ...options,
  });
  try {
    await test(host);
  } finally {
    await host.close(0);
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Sends a request with the token. An object body is sent as JSON. */
export async function call(
  host: Host,
  path: string,
  { body, headers, ...init }: Omit<RequestInit, 'body'> & { body?: unknown } = {},
): Promise<Answer> {
  const isText = typeof body === 'string' || body instanceof Uint8Array;
  const all = new Headers({ authorization: `Bearer ${token}`, ...toRecord(headers) });
  if (body !== undefined && !isText) all.set('content-type', 'application/json');
  const response = await fetch(`${host.url}${path}`, {
    ...init,
    headers: all,
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : isJson(response) ? JSON.parse(text) : text,
  };
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('application/json') === true;
}

function toRecord(headers: RequestInit['headers']): Record<string, string> {
  return Object.fromEntries(new Headers(headers));
}

/** Returns the code and detail of an error response. Throws for other responses. */
export function envelope({ body }: Answer): {
  code: string;
  detail: string;
  suggestions: string[];
} {
  if (typeof body !== 'object' || body === null) throw new Error('not an envelope');
  const keys = Object.keys(body).sort().join();
  if (keys !== 'code,detail,suggestions') throw new Error(`not an envelope: ${keys}`);
  const { code, detail, suggestions } = body as Record<string, unknown>;
  if (typeof code !== 'string' || typeof detail !== 'string' || !Array.isArray(suggestions)) {
    throw new Error('not an envelope');
  }
  return { code, detail, suggestions: suggestions.map(String) };
}
