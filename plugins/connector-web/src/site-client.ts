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

/** An answer's body may have this many bytes once it is decompressed, and take this long. */
export interface BodyLimits {
  readonly maxBytes: number;
  readonly maxMs: number;
}

/** A body that is over its limits. */
export class BodyLimitError extends Error {}

/** The pause for a site that requests one without a duration. */
const defaultPauseMs = 10_000;
const acceptHeader = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5';

/** Asks a site, no faster than it likes. */
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

  /** Returns one answer, which may be a redirect. Only `site` gets the credentials. Throws without an answer. */
  async request(
    address: URL,
    site: Site,
    { method = 'GET', headers = {}, signal }: WebRequestOptions,
  ): Promise<Response> {
    await this.#turn(signal);
    const answer = await this.#send(address, site, { method, headers, signal });
    const { status } = answer;
    const asked = retryAfterMs(answer.headers);
    if (status !== 429 && (status !== 503 || asked === undefined)) return answer;
    await discard(answer);
    throw this.#context.error(
      'connector_unhealthy',
      `${address.host} asks to be left alone (HTTP ${status}).`,
      {
        retryable: true,
        retryAfterMs: asked ?? defaultPauseMs,
        suggestions: ['Trove waits and goes on; a larger `delay_ms` asks it less often.'],
      },
    );
  }

  async #send(
    address: URL,
    site: Site,
    { method, headers, signal }: Pick<WebRequestOptions, 'headers' | 'signal'> & { method: string },
  ): Promise<Response> {
    const { http, error } = this.#context;
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
    } catch (problem) {
      signal.throwIfAborted();
      if (isTroveError(problem)) throw problem;
      const cause =
        problem instanceof Error && problem.cause !== undefined ? problem.cause : problem;
      throw error('connector_unhealthy', `${address.host} cannot be reached: ${messageOf(cause)}`, {
        cause: problem,
        retryable: true,
      });
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
  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const now = performance.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#delayMs;
    if (at > now) await delay(at - now, undefined, { signal });
  }
}

/** All bytes of an answer. Throws `TooMuch` beyond the limits. */
export async function readBody(
  answer: Response,
  { maxBytes, maxMs }: BodyLimits,
): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  const deadline = performance.now() + maxMs;
  let size = 0;
  for await (const piece of streamBody(answer)) {
    size += piece.length;
    if (size > maxBytes) throw new BodyLimitError(`larger than ${maxBytes / (1024 * 1024)} MiB`);
    if (performance.now() > deadline)
      throw new BodyLimitError(`not at its end after ${maxMs / 1000} s`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** The bytes of an answer as they arrive. Stopping the iteration early cancels the answer. */
export async function* streamBody(answer: Response): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = answer.body?.getReader();
  if (reader === undefined) return;
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

export async function discard(answer: Response): Promise<void> {
  await answer.body?.cancel().catch(() => undefined);
}

/** Where a redirect leads; null for any other answer, '' for a redirect that leads nowhere. */
export function locationOf({ status, headers }: Response): string | null {
  const redirects =
    status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
  return redirects ? (headers.get('location') ?? '') : null;
}
