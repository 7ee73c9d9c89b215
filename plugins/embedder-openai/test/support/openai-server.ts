import type { IncomingMessage, ServerResponse } from 'node:http';

import { MemoryEmbedder } from '@trove/testkit';
import { listen } from '@trove/test-support/listen.js';

export const apiKey = 'sk-test-canary-1234567890';
/** A text that the server rejects like OpenAI. */
export const refusedKey = 'REFUSED';
export const serverDimension = 96;

export interface SeenRequest {
  readonly authorization: string | undefined;
  readonly model: string;
  readonly input: readonly string[];
  readonly format: string | undefined;
  readonly dimensions: number | undefined;
}

/** Answers one request in another way than the server. */
export type Answer = (response: ServerResponse, request: SeenRequest) => void;

export interface OpenAiServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly requests: SeenRequest[];
  /** Answers of the next requests, in order. Without any, the server uses its own. */
  readonly answers: Answer[];
  /** Rejects base64, like older servers. */
  knowsBase64: boolean;
}

/** An HTTP server that implements `/v1/embeddings` like OpenAI, with vectors out of order and not of length 1. */
export async function openAiServer(): Promise<OpenAiServer> {
  const requests: SeenRequest[] = [];
  const answers: Answer[] = [];
  const state = { knowsBase64: true };
  const server = await listen((request, response) => {
    void (async () => {
      const seen = await readRequest(request);
      requests.push(seen);
      const answer = answers.shift();
      if (answer === undefined) await ownAnswer(request, response, seen, state.knowsBase64);
      else answer(response, seen);
    })();
  });
  return {
    baseUrl: `${server.origin}/v1`,
    requests,
    answers,
    get knowsBase64() {
      return state.knowsBase64;
    },
    set knowsBase64(value) {
      state.knowsBase64 = value;
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

/** A URL without a server. */
export async function closedBaseUrl(): Promise<string> {
  const server = await openAiServer();
  await server[Symbol.asyncDispose]();
  return server.baseUrl;
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece as Uint8Array));
  const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as Record<string, unknown>;
  return {
    authorization: request.headers.authorization,
    model: String(body['model']),
    input: body['input'] as string[],
    format: body['encoding_format'] as string | undefined,
    dimensions: body['dimensions'] as number | undefined,
  };
}

async function ownAnswer(
  { method, url, headers }: IncomingMessage,
  response: ServerResponse,
  { authorization, model, input, format, dimensions }: SeenRequest,
  knowsBase64: boolean,
): Promise<void> {
  const isJson = headers['content-type'] === 'application/json';
  if (method !== 'POST' || url !== '/v1/embeddings' || !isJson) {
    return sendError(response, 404, `Invalid URL (${method} ${url})`);
  }
  if (authorization !== `Bearer ${apiKey}`) {
    return sendError(
      response,
      401,
      `Incorrect API key provided: ${authorization}.`,
      'invalid_api_key',
    );
  }
  if (format === 'base64' && !knowsBase64)
    return sendError(response, 400, 'encoding_format is unknown');
  if (
    input.some((text) => text === '' || text.includes(refusedKey) || /\p{Surrogate}/u.test(text))
  ) {
    return sendError(response, 400, "This model's maximum context length is 8192 tokens.");
  }
  const embedder = new MemoryEmbedder({ dimension: dimensions ?? serverDimension });
  const vectors = await embedder.embed(input, {
    purpose: 'document',
    signal: new AbortController().signal,
  });
  const data = vectors.map((vector, index) => ({
    object: 'embedding',
    index,
    embedding: encoded(vector, format),
  }));
  sendJson(response, 200, {
    object: 'list',
    data: data.reverse(),
    model,
    usage: { prompt_tokens: 1, total_tokens: 1 },
  });
}

function encoded(unit: Float32Array, format: string | undefined): string | number[] {
  const vector = unit.map((value) => value * 3);
  return format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector];
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  code: string | null = null,
  headers: Record<string, string> = {},
): void {
  sendJson(
    response,
    status,
    { error: { message, type: 'invalid_request_error', param: null, code } },
    headers,
  );
}
