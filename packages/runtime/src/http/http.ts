import { anySignal } from '../abort.js';
import { toOutgoingRequest, followRedirect, type OutgoingRequest } from './outgoing-request.js';
import { watchBody, replaceBody } from './body.js';
import { HttpConnections, type ConnectionLimits, type NetworkScope } from './connections.js';
import { toReadError, redirectError, toConnectionError } from './failures.js';
import { sendWithRetries } from './retries.js';

export interface HttpOptions extends Partial<ConnectionLimits> {
  /** Sent if the caller sets no user agent. */
  readonly userAgent: string;
  /** Whether to retry transient failures. A host that demands a long pause then causes an error. */
  readonly retries: boolean;
  /**
   * Returns the scope of a URL in a call that began with `first`. Default: `anywhere` for the same host, `same
   * network` for others.
   */
  readonly scopeOf?: (url: URL, first: URL) => NetworkScope;
}

const defaults: ConnectionLimits = {
  firstByteMs: 60_000,
  silenceMs: 60_000,
  connectionsPerHost: 8,
};
const maxRedirects = 20;

/**
 * Creates a `fetch` that aborts with `signal`, and when a response does not begin or stalls. The total time of
 * a body is not limited, and a slow reader does not count as a stall. Errors state the problem in one sentence.
 */
export function openHttp(signal: AbortSignal, options: HttpOptions): typeof globalThis.fetch {
  const http = new Http(options);
  return async (input, init) => {
    const requestSignal = input instanceof Request ? input.signal : undefined;
    const until = anySignal(signal, requestSignal, init?.signal ?? undefined);
    try {
      until.signal.throwIfAborted();
      return await http.fetch(input, init, until.signal, until.end);
    } catch (error) {
      const { aborted, reason } = until.signal;
      until.end();
      throw aborted ? reason : error;
    }
  };
}

class Http {
  readonly #options: HttpOptions;
  readonly #limits: ConnectionLimits;
  readonly #connections: HttpConnections;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#limits = { ...defaults, ...options };
    this.#connections = new HttpConnections(this.#limits);
  }

  /** Calls `onEnd` when the response is complete or has failed. */
  async fetch(
    input: string | URL | Request,
    init: RequestInit | undefined,
    signal: AbortSignal,
    onEnd: () => void,
  ): Promise<Response> {
    const { redirect, ...outgoing } = await toOutgoingRequest(input, init, this.#options.userAgent);
    const { response, url, hops } = await this.#follow(outgoing, redirect, signal);
    const convertError = (error: unknown): unknown =>
      signal.aborted ? signal.reason : toReadError(error, url, this.#limits.silenceMs);
    if (response.body === null) onEnd();
    const body =
      response.body === null
        ? null
        : watchBody(response.body, { onEnd, toReadError: convertError });
    return replaceBody(response, body, { url: url.href, redirected: hops > 0 });
  }

  async #follow(
    first: OutgoingRequest,
    redirect: Request['redirect'],
    signal: AbortSignal,
  ): Promise<{ response: Response; url: URL; hops: number }> {
    let outgoing = first;
    for (let hops = 0; ; hops++) {
      const { url } = outgoing;
      const response = await this.#send(outgoing, first.url, signal);
      const next = redirect === 'manual' ? null : followRedirect(outgoing, response);
      if (next === null) return { response, url, hops };
      await response.body?.cancel();
      if (redirect === 'error')
        throw redirectError(url, 'redirects, but the request forbids redirects');
      if (hops === maxRedirects)
        throw redirectError(url, `redirects more than ${maxRedirects} times`);
      outgoing = next;
    }
  }

  async #send(outgoing: OutgoingRequest, first: URL, signal: AbortSignal): Promise<Response> {
    const { url } = outgoing;
    const scope = this.#options.scopeOf?.(url, first) ?? defaultScopeOf(url, first);
    const send = (): Promise<Response> => this.#connections.fetch(outgoing, scope, first, signal);
    try {
      return await (this.#options.retries ? sendWithRetries(outgoing, signal, send) : send());
    } catch (error) {
      throw signal.aborted ? error : toConnectionError(error, url, this.#limits.firstByteMs);
    }
  }
}

function defaultScopeOf(url: URL, first: URL): NetworkScope {
  return url.hostname === first.hostname ? 'anywhere' : 'same network';
}
