import { lookup as resolve, type LookupAddress } from 'node:dns';
import { request as requestPlain, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isTroveError, TroveError } from '@trove/core';
import { isPublicAddress } from './addresses.js';
import { bytesWithin } from './text-of-bytes.js';

const maxRedirects = 5;
const silenceMs = 15_000;
const wholeMs = 60_000;

export interface WebLimits {
  readonly maxBytes: number;
  /** Hosts, as URLs have them, whose addresses may be private. */
  readonly privateHosts: ReadonlySet<string>;
}

export interface WebPage {
  /** After redirects. */
  readonly url: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mediaType: string | null;
}

/**
 * What is at an http(s) URL. Only public addresses are connected to, whatever a name resolves to and wherever a redirect
 * leads. Throws `path_not_allowed`, `payload_too_large`, `connector_unhealthy`, `timed_out` and `not_found`.
 */
export async function readWebPage(
  text: string,
  limits: WebLimits,
  signal: AbortSignal,
): Promise<WebPage> {
  const late = AbortSignal.timeout(wholeMs);
  const until = AbortSignal.any([signal, late]);
  try {
    let url = urlOf(text);
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const answer = await ask(url, limits, until);
      const next = redirectOf(answer, url);
      if (next === null) return await pageOf(url, answer, limits);
      answer.destroy();
      url = next;
    }
    throw unreachable(`redirects more than ${maxRedirects} times`);
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) throw new TroveError('timed_out', `It took longer than ${wholeMs / 1000} s`);
    throw asOurs(error);
  }
}

export function isWebUrl(source: string): boolean {
  return /^https?:\/\//iu.test(source);
}

function urlOf(text: string): URL {
  if (!URL.canParse(text)) throw new TroveError('validation_error', 'It is no valid URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TroveError('path_not_allowed', `It leads to ${url.protocol}, not to http or https`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new TroveError('validation_error', 'A URL must not hold credentials');
  }
  return url;
}

function ask(url: URL, { privateHosts }: WebLimits, signal: AbortSignal): Promise<IncomingMessage> {
  const anywhere = privateHosts.has(url.host) || privateHosts.has(url.hostname);
  const host = url.hostname.replace(/^\[|\]$/gu, '');
  if (isIP(host) !== 0 && !anywhere && !isPublicAddress(host)) throw refused(url);
  const options: RequestOptions = {
    // A connection of its own, so that the address that was checked is the one that answers.
    agent: false,
    signal,
    timeout: silenceMs,
    lookup: anywhere ? undefined : publicOnly(url),
    headers: { 'User-Agent': 'Trove', Accept: '*/*', 'Accept-Encoding': 'identity' },
  };
  const send = url.protocol === 'https:' ? requestSecure : requestPlain;
  return new Promise((fulfil, reject) => {
    const request = send(url, options, fulfil);
    request.on('timeout', () => request.destroy(unreachable('does not answer')));
    request.on('error', reject);
    request.end();
  });
}

/** Resolves a name to its addresses, all of which must be public; the socket connects to what this returns. */
function publicOnly(url: URL): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, '');
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
        return done(refused(url), '');
      }
      return options.all === true
        ? done(null, addresses satisfies LookupAddress[])
        : done(null, first.address, first.family);
    });
  };
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined)
    return null;
  if (!URL.canParse(headers.location, from.href)) throw unreachable('redirects to what is no URL');
  return urlOf(new URL(headers.location, from.href).href);
}

async function pageOf(url: URL, answer: IncomingMessage, limits: WebLimits): Promise<WebPage> {
  const { statusCode = 0, headers } = answer;
  try {
    if (statusCode === 404 || statusCode === 410) {
      throw new TroveError('not_found', `The server answers with ${statusCode}`);
    }
    if (statusCode < 200 || statusCode > 299) throw unreachable(`answers with ${statusCode}`);
    if (!['', 'identity'].includes(headers['content-encoding'] ?? '')) {
      throw unreachable('answers in an encoding that it was not asked for');
    }
    if (Number(headers['content-length'] ?? 0) > limits.maxBytes) {
      throw new TroveError('payload_too_large', `It has more than ${limits.maxBytes} bytes`);
    }
    const bytes = await bytesWithin(answer, limits.maxBytes);
    return { url: url.href, bytes, mediaType: headers['content-type'] ?? null };
  } finally {
    answer.destroy();
  }
}

function refused({ host }: URL): TroveError {
  return new TroveError('path_not_allowed', `${host} is not an address of the public web`, {
    suggestions: ['Name the host in `[graph].private_hosts` in server.toml, if it may be read.'],
  });
}

function unreachable(problem: string): TroveError {
  return new TroveError('connector_unhealthy', `The server ${problem}`);
}

/** The system's own messages name addresses, which are nobody's business. */
function asOurs(error: unknown): unknown {
  if (isTroveError(error) || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : error.name;
  return new TroveError('connector_unhealthy', `The server cannot be reached (${code})`, {
    cause: error,
  });
}
