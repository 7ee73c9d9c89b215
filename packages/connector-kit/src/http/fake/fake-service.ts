import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A request that a fake service received. */
export interface FakeRequest {
  readonly method: string;
  /** The path without the query, decoded only where it is safe: `%2F` stays. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The parsed body: JSON or a form. Null without a body. */
  readonly body: unknown;
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
}

/** The answer of a fake service. `json` and `body` exclude each other. */
export interface FakeAnswer {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: string | Uint8Array;
}

/** A request with the answer it got. */
export interface FakeExchange {
  readonly request: FakeRequest;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body. Undefined if it is not JSON. */
  readonly json: unknown;
}

/** What a service does, apart from faults. */
export interface ServiceModel {
  /** Answers a request in the form of the vendor, including the vendor's errors. */
  answer(request: FakeRequest): FakeAnswer | Promise<FakeAnswer>;
  /** The vendor's form of the answer to too many requests. */
  rateLimited(request: FakeRequest, retryAfterMs: number): FakeAnswer;
  /** The vendor's form of the answer to a token that is no longer valid. */
  unauthorized(request: FakeRequest): FakeAnswer;
}

/** A fault for matching requests. */
export interface Fault {
  readonly matches: (request: FakeRequest) => boolean;
  /** The number of matching requests that are answered normally first. Default 0. */
  readonly after?: number;
  /** The number of requests with the fault. Default 1. */
  readonly times?: number;
  /** Changes the normal answer or replaces it. */
  readonly apply: (
    request: FakeRequest,
    normal: () => Promise<FakeAnswer>,
  ) => FakeAnswer | Promise<FakeAnswer>;
}

/** A limit of `requests` in each window of `perMs` milliseconds, for matching requests. */
export interface RateLimit {
  readonly requests: number;
  readonly perMs: number;
  readonly matches?: (request: FakeRequest) => boolean;
}

/** A web service on this machine that speaks a service's protocol, with faults and limits that tests add. */
export interface FakeService extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** All requests with their answers, in order of completion. */
  readonly exchanges: readonly FakeExchange[];
  /** Forgets the exchanges so far. */
  forget(): void;
  addFault(fault: Fault): void;
  /** Replaces the rate limit. Null: none. */
  limit(limit: RateLimit | null): void;
  stop(): Promise<void>;
}

export async function startFakeService(model: ServiceModel): Promise<FakeService> {
  const exchanges: FakeExchange[] = [];
  const faults: { readonly fault: Fault; met: number }[] = [];
  let limit: RateLimit | null = null;
  let requestTimes: number[] = [];
  const answerOf = async (request: FakeRequest): Promise<FakeAnswer> => {
    const waitMs = limit === null ? 0 : refusalMs(limit, request);
    if (waitMs > 0) return model.rateLimited(request, waitMs);
    const normal = async (): Promise<FakeAnswer> => model.answer(request);
    for (const entry of faults) {
      const { matches, after = 0, times = 1, apply } = entry.fault;
      if (!matches(request)) continue;
      entry.met++;
      if (entry.met > after && entry.met <= after + times) return apply(request, normal);
    }
    return normal();
  };
  /** Counts the request. Returns how long the caller must wait if the limit is reached. */
  const refusalMs = ({ requests, perMs, matches }: RateLimit, request: FakeRequest): number => {
    if (matches?.(request) === false) return 0;
    const now = Date.now();
    requestTimes = requestTimes.filter((time) => now - time < perMs);
    const [oldest] = requestTimes;
    if (oldest !== undefined && requestTimes.length >= requests) return oldest + perMs - now;
    requestTimes.push(now);
    return 0;
  };
  const server = createServer((incoming, response) => {
    const served = async (): Promise<void> => {
      const request = await parseRequest(incoming, origin);
      exchanges.push({ request, ...send(response, await answerOf(request)) });
    };
    served().catch((error: unknown) => {
      send(response, { status: 500, json: { message: String(error) } });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  const origin = `http://127.0.0.1:${address.port}`;
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    origin,
    exchanges,
    forget: () => void exchanges.splice(0),
    addFault: (fault) => void faults.push({ fault, met: 0 }),
    limit: (next) => {
      limit = next;
      requestTimes = [];
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function parseRequest(incoming: IncomingMessage, origin: string): Promise<FakeRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const url = new URL(incoming.url ?? '/', origin);
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers,
    body: parseBody(Buffer.concat(chunks).toString(), headers['content-type'] ?? ''),
    origin,
  };
}

function parseBody(text: string, contentType: string): unknown {
  if (text === '') return null;
  if (contentType.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function send(response: ServerResponse, answer: FakeAnswer): Omit<FakeExchange, 'request'> {
  const { status = 200, json } = answer;
  const body = json === undefined ? (answer.body ?? '') : JSON.stringify(json);
  const type = json === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' };
  const headers = { ...type, ...answer.headers };
  response.writeHead(status, headers).end(body);
  return { status, headers, json };
}
