type Json = Readonly<Record<string, unknown>>;

export const modernVersion = '2026-07-28';

const metaPrefix = 'io.modelcontextprotocol/';

/** A message of the server: a result, an error, a notification or a request. */
export interface WireMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Json;
  readonly result?: Json;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Json };
}

export interface WireAnswer {
  readonly status: number;
  /** All messages of the response, in their order. */
  readonly messages: readonly WireMessage[];
  /** The message with the id of the request. */
  readonly reply: WireMessage;
}

export interface WireRequest {
  /** Replaces the `_meta` of the request. `null` omits it. */
  readonly meta?: Json | null;
  /** Added to the headers of the request, or replaces them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/** Returns the `_meta` of a request of 2026-07-28, with some of its members replaced. `undefined` omits one. */
export function metaOf(replaced: Readonly<Record<string, unknown>> = {}): Json {
  const members = {
    protocolVersion: modernVersion,
    clientInfo: { name: 'test', version: '1' },
    clientCapabilities: { sampling: {}, elicitation: {}, roots: {} },
    ...replaced,
  };
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [`${metaPrefix}${name}`, value]),
  );
}

/** Sends requests of 2026-07-28, or malformed ones, to an endpoint without a token. */
export class WireClient {
  readonly #url: string;
  #lastId = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Returns the answer with all messages. */
  async send(method: string, params: Json = {}, options: WireRequest = {}): Promise<WireAnswer> {
    const id = ++this.#lastId;
    const response = await this.open(id, method, params, options);
    const messages = messagesOf(response, await response.text());
    return { status: response.status, messages, reply: messages.find((m) => m.id === id) ?? {} };
  }

  /** Returns the result. Throws for errors. */
  async ask(method: string, params: Json = {}, options: WireRequest = {}): Promise<Json> {
    const { reply, status } = await this.send(method, params, options);
    if (reply.result === undefined)
      throw new Error(`${method}: status ${status}: ${JSON.stringify(reply.error)}`);
    return reply.result;
  }

  /** Returns the response before its body. */
  open(id: number, method: string, params: Json, options: WireRequest = {}): Promise<Response> {
    const { meta = metaOf(), headers = {}, signal = null } = options;
    const name = params['name'] ?? params['uri'];
    const all = meta === null ? params : { ...params, _meta: { ...meta, ...given(params) } };
    return fetch(this.#url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': modernVersion,
        'mcp-method': method,
        ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params: all }),
      signal,
    });
  }
}

function given({ _meta: meta }: Json): object {
  return typeof meta === 'object' && meta !== null ? meta : {};
}

/** Returns the messages of a body, or of its first part: one JSON text, or the data of events. Throws for other types. */
export function messagesOf({ headers }: Response, body: string): readonly WireMessage[] {
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('application/json')) return [JSON.parse(body) as WireMessage];
  if (!type.startsWith('text/event-stream')) throw new Error(`unexpected type: ${type}`);
  const texts = Array.from(body.matchAll(/^data: (\{.*)$/gm), ([, text = '']) => text);
  return texts.map((text) => JSON.parse(text) as WireMessage);
}
