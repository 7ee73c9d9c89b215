import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

import { EventSourceParserStream } from 'eventsource-parser/stream';

import { errorCode, messageOf } from '../session/system-errors.js';
import {
  failureMessage,
  isObject,
  parseErrorMessage,
  parseMessage,
  type JsonRpcMessage,
} from './json-rpc.js';

const versionKey = 'io.modelcontextprotocol/protocolVersion';

export interface ProxyOptions {
  /** The lines of the client. */
  readonly input: Readable;
  /** Sends a line to the client. */
  readonly write: (line: string) => Promise<void>;
  /** URL of the server. */
  readonly endpoint: string;
  /** Returns the token. It may exist only after the server has started. */
  readonly token: () => string | undefined;
  /** Starts the server that refused a connection. Returns false if this machine does not run it. */
  readonly start: () => Promise<boolean>;
}

/** Passes messages of a client on stdio to the server over HTTP. Resolves when the input has ended and all answers are sent. */
export async function runProxy(options: ProxyOptions): Promise<void> {
  const proxy = new StdioProxy(options);
  const running = new Set<Promise<void>>();
  for await (const line of createInterface({ input: options.input })) {
    if (line.trim() === '') continue;
    const call = proxy.pass(line).finally(() => running.delete(call));
    running.add(call);
  }
  await Promise.all(running);
}

class StdioProxy {
  readonly #options: ProxyOptions;
  readonly #calls = new Map<string | number, AbortController>();
  /** The version that `initialize` has agreed on. Later versions name it in each request. */
  #version: string | undefined;
  #starting: Promise<boolean> | undefined;

  constructor(options: ProxyOptions) {
    this.#options = options;
  }

  /** Sends a line to the server and its answers to the client. */
  async pass(line: string): Promise<void> {
    const { write } = this.#options;
    const message = parseMessage(line);
    if (message === null) return write(parseErrorMessage());
    if (message.method === 'notifications/cancelled') this.#cancel(message);
    const controller = new AbortController();
    if (message.id !== undefined) this.#calls.set(message.id, controller);
    try {
      const response = await this.#post(line, message, controller.signal);
      for await (const answer of answersOf(response)) {
        if (message.method === 'initialize') this.#version = negotiatedVersion(answer);
        await write(answer);
      }
    } catch (error) {
      // A client expects no answer to a request that it cancelled, and none to a notification.
      if (!controller.signal.aborted && message.id !== undefined)
        await write(failureMessage(message, this.#describe(error)));
    } finally {
      if (message.id !== undefined) this.#calls.delete(message.id);
    }
  }

  /** `fetch` reports a lost connection only as `fetch failed`. */
  #describe(error: unknown): string {
    const isConnection = error instanceof TypeError && error.cause !== undefined;
    if (!isConnection) return messageOf(error);
    const { endpoint } = this.#options;
    return `The connection to ${endpoint} failed (${errorCode(error.cause)}). Repeat the call`;
  }

  #cancel({ params }: JsonRpcMessage): void {
    const id = params?.['requestId'];
    if (typeof id === 'string' || typeof id === 'number') this.#calls.get(id)?.abort();
  }

  /** Posts a message. If no server listens, starts it and tries once more. */
  async #post(line: string, message: JsonRpcMessage, signal: AbortSignal): Promise<Response> {
    const { endpoint, start } = this.#options;
    const send = (): Promise<Response> =>
      fetch(`${endpoint}/mcp`, {
        method: 'POST',
        body: line,
        headers: this.#headers(message),
        signal,
      });
    try {
      return await send();
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.#starting ??= start().finally(() => (this.#starting = undefined));
      if (!(await this.#starting))
        throw new Error(`No server answers at ${endpoint}`, { cause: error });
      return send();
    }
  }

  #headers({ method, params }: JsonRpcMessage): Record<string, string> {
    const token = this.#options.token();
    const meta = params?.['_meta'];
    const ownVersion = isObject(meta) ? meta[versionKey] : undefined;
    const version = typeof ownVersion === 'string' ? ownVersion : this.#version;
    const name = params?.['name'] ?? params?.['uri'];
    return {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
      // Required since 2026-07-28, together with the version in the message.
      ...(ownVersion === undefined || method === undefined ? {} : { 'mcp-method': method }),
      ...(ownVersion === undefined || typeof name !== 'string'
        ? {}
        : { 'mcp-name': encodeHeader(name) }),
    };
  }
}

/** Encodes a value that a header cannot contain, in the form of the protocol. */
function encodeHeader(value: string): string {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?base64?')
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && errorCode(error.cause) === 'ECONNREFUSED';
}

/** Yields the messages of a response, each as one line. Throws for a response of another kind. */
async function* answersOf(response: Response): AsyncGenerator<string> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) return yield* eventsOf(response);
  const body = await response.text();
  if (body === '') {
    if (response.ok) return;
    throw new Error(`The server answered with status ${response.status}`);
  }
  const value: unknown = type.startsWith('application/json') ? JSON.parse(body) : undefined;
  if (Array.isArray(value) || (isObject(value) && 'jsonrpc' in value)) yield JSON.stringify(value);
  else throw new Error(describeRefusal(value, response.status));
}

/** Describes an error of the server that is not a message, such as a wrong token. */
function describeRefusal(value: unknown, status: number): string {
  const { code, detail } = isObject(value) ? value : {};
  return typeof code === 'string' && typeof detail === 'string'
    ? `${code}: ${detail}`
    : `The server answered with status ${status}`;
}

async function* eventsOf({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  const events = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  // The client reads one message from each line.
  for await (const { data } of events) yield data.replaceAll('\n', '');
}

function negotiatedVersion(answer: string): string | undefined {
  const value: unknown = JSON.parse(answer);
  const result = isObject(value) ? value['result'] : undefined;
  const version = isObject(result) ? result['protocolVersion'] : undefined;
  return typeof version === 'string' ? version : undefined;
}
