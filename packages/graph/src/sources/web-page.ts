import { isTroveError, TroveError } from '@trove/core';
import { openHttp } from '@trove/runtime';
import { readBytes } from './document-text.js';

const maxSilenceMs = 15_000;
const totalTimeoutMs = 60_000;
const never = new AbortController().signal;

export interface WebLimits {
  readonly maxBytes: number;
  /** Hosts that may have private addresses, as in URLs. */
  readonly privateHosts: ReadonlySet<string>;
}

export interface WebPage {
  /** After redirects. */
  readonly url: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mediaType: string | null;
}

/**
 * Reads an http(s) URL. Connects only to public addresses, also after redirects. Throws `path_not_allowed`,
 * `payload_too_large`, `connector_unhealthy`, `timed_out` and `not_found`.
 */
export async function readWebPage(
  text: string,
  { maxBytes, privateHosts }: WebLimits,
  signal: AbortSignal,
): Promise<WebPage> {
  const isNamed = ({ host, hostname }: URL): boolean =>
    privateHosts.has(host) || privateHosts.has(hostname);
  const http = openHttp(never, {
    userAgent: 'Trove',
    retries: false,
    firstByteMs: maxSilenceMs,
    silenceMs: maxSilenceMs,
    scopeOf: (url) => (isNamed(url) ? 'anywhere' : 'public'),
  });
  const late = AbortSignal.timeout(totalTimeoutMs);
  try {
    const until = AbortSignal.any([signal, late]);
    return await readPage(await http(parseUrl(text), { signal: until }), maxBytes);
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted)
      throw new TroveError('timed_out', `The page took longer than ${totalTimeoutMs / 1000} s`);
    throw addAdvice(error);
  }
}

export function isWebUrl(source: string): boolean {
  return /^https?:\/\//iu.test(source);
}

function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new TroveError('validation_error', 'The text is not a valid URL');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new TroveError('validation_error', 'A URL must not contain credentials');
  }
  return url;
}

async function readPage(answer: Response, maxBytes: number): Promise<WebPage> {
  const { status, headers, body, url } = answer;
  try {
    if (status === 404 || status === 410) {
      throw new TroveError('not_found', `The server answered with status ${status}`);
    }
    if (status < 200 || status > 299) {
      throw new TroveError('connector_unhealthy', `The server answered with status ${status}`);
    }
    if (Number(headers.get('content-length') ?? 0) > maxBytes) {
      throw new TroveError('payload_too_large', `The page has more than ${maxBytes} bytes`);
    }
    const bytes = await readBytes(body ?? emptyBody(), maxBytes);
    return { url, bytes, mediaType: headers.get('content-type') };
  } finally {
    if (body?.locked === false) await body.cancel();
  }
}

async function* emptyBody(): AsyncGenerator<Uint8Array, void, undefined> {
  // A page without a body.
}

function addAdvice(error: unknown): unknown {
  if (!isTroveError(error) || error.code !== 'path_not_allowed') return error;
  return new TroveError('path_not_allowed', error.detail, {
    suggestions: ['To allow the host, add it to `[graph].private_hosts` in server.toml.'],
  });
}
