import { createParser } from 'eventsource-parser';

import { type CallOptions, type ClientConfiguration, defaultBaseUrl } from './configuration.js';
import { TroveApiError } from './error.js';
import {
  apiError,
  connectionFailed,
  connectionLost,
  invalidResponse,
  timedOut,
} from './failures.js';
import { type ApiRequest, requestBody, requestUrl } from './request.js';

/** An event of a server, with its data in JSON. */
export interface ReceivedEvent {
  /** `message` for an event without a name, and for a response of JSON. */
  readonly event: string;
  readonly data: string;
}

/** Sends requests and turns every failure into a `TroveApiError`. The generated groups are thin wrappers around it. */
export class HttpClient {
  readonly baseUrl: string;
  readonly #configuration: ClientConfiguration;

  constructor(configuration: ClientConfiguration = {}) {
    this.#configuration = configuration;
    this.baseUrl = configuration.baseUrl ?? defaultBaseUrl;
  }

  /** Returns the JSON of a successful response; undefined without content. */
  async json<T>(request: ApiRequest, options: CallOptions = {}): Promise<T> {
    const { status, text } = await this.#whole(request, options, 'application/json');
    const value: T = parse(status, text);
    return value;
  }

  /** Returns a successful response as text. */
  async text(request: ApiRequest, options: CallOptions = {}): Promise<string> {
    return (await this.#whole(request, options, 'text/*')).text;
  }

  /** Resolves when the request has succeeded. Ignores its response body. */
  async nothing(request: ApiRequest, options: CallOptions = {}): Promise<void> {
    await this.#whole(request, options, '*/*');
  }

  /** Yields a successful response in pieces. The timeout applies to each piece. */
  async *bytes(request: ApiRequest, options: CallOptions = {}): AsyncGenerator<Uint8Array> {
    const deadline = this.#deadline(options);
    try {
      const response = await this.#send(request, '*/*', deadline);
      for await (const piece of response.body ?? []) {
        deadline.restart();
        yield piece;
      }
    } catch (error) {
      throw deadline.toError(error);
    } finally {
      deadline.clear();
    }
  }

  /** Like `bytes`, but decoded as text. */
  async *stream(request: ApiRequest, options?: CallOptions): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    for await (const piece of this.bytes(request, options)) {
      yield decoder.decode(piece, { stream: true });
    }
    yield decoder.decode();
  }

  /** Yields the server-sent events of a response as they arrive. The timeout applies to each piece. */
  async *events(request: ApiRequest, options: CallOptions = {}): AsyncGenerator<ReceivedEvent> {
    const deadline = this.#deadline(options);
    try {
      const accept = 'text/event-stream, application/json;q=0.5';
      const response = await this.#send(request, accept, deadline);
      const type = response.headers.get('content-type') ?? '';
      if (!type.startsWith('text/event-stream')) {
        yield { event: 'message', data: await response.text() };
        return;
      }
      const decoder = new TextDecoder();
      let events: ReceivedEvent[] = [];
      const parser = createParser({
        onEvent: ({ event = 'message', data }) => void events.push({ event, data }),
      });
      for await (const piece of response.body ?? []) {
        deadline.restart();
        parser.feed(decoder.decode(piece, { stream: true }));
        yield* events;
        events = [];
      }
    } catch (error) {
      throw deadline.toError(error);
    } finally {
      deadline.clear();
    }
  }

  async #whole(
    request: ApiRequest,
    options: CallOptions,
    accept: string,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const deadline = this.#deadline(options);
    try {
      const response = await this.#send(request, accept, deadline);
      return { status: response.status, text: await response.text() };
    } catch (error) {
      throw deadline.toError(error);
    } finally {
      deadline.clear();
    }
  }

  async #send(request: ApiRequest, accept: string, deadline: Deadline): Promise<Response> {
    const { token, headers, fetch: send = fetch } = this.#configuration;
    const { signal } = deadline;
    const { headers: own, init } = requestBody(request, (error) => deadline.abort(error));
    const authorization = token ? { authorization: `Bearer ${token}` } : {};
    let response: Response;
    try {
      response = await send(requestUrl(this.baseUrl, request), {
        method: request.method,
        headers: { accept, ...headers, ...own, ...authorization },
        signal,
        ...init,
      });
    } catch (cause) {
      throw signal.aborted ? signal.reason : connectionFailed(this.baseUrl, cause);
    }
    if (response.ok) return response;
    const { status, statusText } = response;
    const code = response.headers.get('x-error-code');
    throw apiError(status, statusText, await response.text(), code);
  }

  #deadline(options: CallOptions): Deadline {
    return new Deadline(options.timeoutMs ?? this.#configuration.timeoutMs, options.signal);
  }
}

/** Combines the caller's signal, the timeout and the upload source, and knows which of them ended a call. */
class Deadline {
  readonly #timeoutMs: number | undefined;
  readonly #ended = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #onAbort = (): void => this.abort(this.#caller?.reason);
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number | undefined, caller: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs;
    this.#caller = caller;
    // In Node 20, AbortSignal.any leaks memory in a caller's long-lived signal.
    caller?.addEventListener('abort', this.#onAbort);
    if (caller?.aborted === true) this.#onAbort();
    this.restart();
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  restart(): void {
    clearTimeout(this.#timer);
    const timeoutMs = this.#timeoutMs;
    if (timeoutMs === undefined) return;
    this.#timer = setTimeout(() => this.abort(timedOut(timeoutMs)), timeoutMs);
  }

  /** Ends the call, which then throws this reason. */
  abort(reason: unknown): void {
    this.#ended.abort(reason);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }

  /** Returns the error for the caller: the reason for the abort, or the failure itself. */
  toError(error: unknown): unknown {
    if (this.#ended.signal.aborted) return this.#ended.signal.reason;
    return error instanceof TroveApiError ? error : connectionLost(0, error);
  }
}

function parse(status: number, body: string) {
  if (status === 204) return undefined;
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw invalidResponse(status, `the response is not JSON: ${body.slice(0, 80)}`, cause);
  }
}
