import { setTimeout as delay } from 'node:timers/promises';
import { type ConnectorContext, isTroveError, messageOf } from '@trove/core';
import { retryAfterMs } from '@trove/core/provider';

import type { WebConfig } from './config.js';
import type { Site } from './site.js';

export type WebContext = Pick<
  ConnectorContext<WebConfig>,
  'config' | 'credentials' | 'target' | 'cacheFolder' | 'http' | 'error' | 'logger' | 'signal'
>;

export interface WebRequestOptions {
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Limits for the decompressed size of a body and for its time. */
export interface BodyLimits {
  readonly maxBytes: number;
  readonly maxMs: number;
}

/** Thrown when a body exceeds its limits. */
export class BodyLimitError extends Error {}

/** The pause for a site that requests one without a duration. */
const defaultPauseMs = 10_000;
const acceptHeader = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5';

/** Sends requests to a site, with a delay between them. */
export class SiteClient {
  readonly #context: WebContext;
  readonly #sendsLogin: boolean;
  #delayMs: number;
  #next = 0;

  /** `sendsLogin`: whether requests to the site contain the credentials of the source. */
  constructor(context: WebContext, { sendsLogin }: { readonly sendsLogin: boolean }) {
    this.#context = context;
    this.#sendsLogin = sendsLogin;
    this.#delayMs = context.config.delay_ms;
  }

  raiseDelay(delayMs: number): void {
    this.#delayMs = Math.max(this.#context.config.delay_ms, delayMs);
  }

  /** Returns one response, which may be a redirect. Only `site` gets the credentials. Throws if there is no response. */
  async request(
    address: URL,
    site: Site,
    { method = 'GET', headers = {}, signal }: WebRequestOptions,
  ): Promise<Response> {
    await this.#waitForTurn(signal);
    const response = await this.#send(address, site, { method, headers, signal });
    const { status } = response;
    const pauseMs = retryAfterMs(response.headers);
    if (status !== 429 && (status !== 503 || pauseMs === undefined)) return response;
    await discard(response);
    throw this.#context.error(
      'connector_unhealthy',
      `${address.host} requests a pause (HTTP ${status}).`,
      {
        retryable: true,
        retryAfterMs: pauseMs ?? defaultPauseMs,
        suggestions: ['Trove waits and continues. A larger `delay_ms` sends fewer requests.'],
      },
    );
  }

  async #send(
    address: URL,
    site: Site,
    { method, headers, signal }: Pick<WebRequestOptions, 'headers' | 'signal'> & { method: string },
  ): Promise<Response> {
    const { http, error: createError } = this.#context;
    const isOwn = this.#sendsLogin && address.origin === site.root.origin;
    const login = isOwn ? await this.#login() : {};
    try {
      return await http(address, {
        method,
        redirect: 'manual',
        signal,
        headers: {
          accept: acceptHeader,
          ...headers,
          ...login,
        },
      });
    } catch (error) {
      signal.throwIfAborted();
      if (isTroveError(error)) throw error;
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
      throw createError(
        'connector_unhealthy',
        `${address.host} cannot be reached: ${messageOf(cause)}`,
        {
          cause: error,
          retryable: true,
        },
      );
    }
  }

  /** The current credentials, because their file may have been replaced. */
  async #login(): Promise<Record<string, string>> {
    const { credentials } = this.#context;
    const authorization = await credentials.get('authorization');
    const cookie = await credentials.get('cookie');
    return {
      ...(authorization === undefined ? {} : { authorization }),
      ...(cookie === undefined ? {} : { cookie }),
    };
  }

  /** Waits until a request may be sent. */
  async #waitForTurn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const now = performance.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#delayMs;
    if (at > now) await delay(at - now, undefined, { signal });
  }
}

/** Reads all bytes of a response. Throws `BodyLimitError` beyond the limits. */
export async function readBody(
  response: Response,
  { maxBytes, maxMs }: BodyLimits,
): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  const deadline = performance.now() + maxMs;
  let size = 0;
  for await (const piece of streamBody(response)) {
    size += piece.length;
    if (size > maxBytes) throw new BodyLimitError(`larger than ${maxBytes / (1024 * 1024)} MiB`);
    if (performance.now() > deadline)
      throw new BodyLimitError(`not complete after ${maxMs / 1000} s`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Streams the bytes of a response. Cancels the response when the caller stops reading. */
export async function* streamBody(response: Response): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

export async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}

/** Returns the target of a redirect: null for other responses, '' for a redirect without a target. */
export function locationOf({ status, headers }: Response): string | null {
  const isRedirect =
    status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
  return isRedirect ? (headers.get('location') ?? '') : null;
}
