import type { IncomingMessage, ServerResponse } from 'node:http';

import { MemoryReranker } from '@trove/testkit';
import { listen } from '@trove/test-support/listen.js';

export const apiKey = 'sk-test-canary-rerank-0987654321';
/** A text that the server rejects as too long. */
export const refusedKey = 'REFUSED';
/** The default of Text Embeddings Inference. */
const teiMaxBatch = 32;

export interface SeenRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Answers one request in another way than the server. */
export type Answer = (response: ServerResponse) => void;

export interface RerankServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly requests: SeenRequest[];
  /** Answers of the next requests, in order. Without any, the server uses its own. */
  readonly answers: Answer[];
}

type Protocol = 'cohere' | 'tei';

/** An HTTP server that implements `/rerank` like Cohere or Text Embeddings Inference: best first, with their errors. */
export async function rerankServer(protocol: Protocol): Promise<RerankServer> {
  const requests: SeenRequest[] = [];
  const answers: Answer[] = [];
  const server = await listen((request, response) => {
    void (async () => {
      const seen = await readRequest(request);
      requests.push(seen);
      const answer = answers.shift();
      if (answer === undefined) await respond(protocol, seen, response);
      else answer(response);
    })();
  });
  return {
    baseUrl: server.origin,
    requests,
    answers,
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

/** A URL without a server. */
export async function closedBaseUrl(): Promise<string> {
  const server = await rerankServer('tei');
  await server[Symbol.asyncDispose]();
  return server.baseUrl;
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const { authorization } = request.headers;
  const body = JSON.parse(Buffer.concat(pieces).toString('utf8'));
  return { path: request.url ?? '', authorization, body };
}

async function respond(
  protocol: Protocol,
  { path, authorization, body }: SeenRequest,
  response: ServerResponse,
): Promise<void> {
  const message = protocol === 'cohere' ? 'message' : 'error';
  if (path !== '/rerank') return sendJson(response, 404, { [message]: 'no such path' });
  if (authorization !== `Bearer ${apiKey}`)
    return sendJson(response, 401, { [message]: `no valid key in ${authorization}` });
  const texts: unknown = protocol === 'cohere' ? body['documents'] : body['texts'];
  const question = body['query'];
  if (!isTexts(texts) || typeof question !== 'string' || texts.includes('') || texts.length === 0)
    return sendJson(response, 422, { [message]: 'invalid request' });
  if (texts.some((text) => text.includes(refusedKey)))
    return sendJson(response, 400, { [message]: 'a document is too long' });
  if (protocol === 'tei' && texts.length > teiMaxBatch)
    return sendJson(response, 413, { error: `batch size ${texts.length} > ${teiMaxBatch}` });
  const { signal } = new AbortController();
  const scores = await new MemoryReranker().rerank(question, texts, { signal });
  const results = scores
    .map((score, index) => ({ index, score }))
    .sort((a, b) => b.score - a.score);
  sendJson(
    response,
    200,
    protocol === 'tei'
      ? results
      : {
          id: 'x',
          results: results.map(({ index, score }) => ({ index, relevance_score: score / 100 })),
        },
  );
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
