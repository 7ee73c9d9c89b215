import type { IncomingMessage } from 'node:http';
import { listen } from '@trove/test-support/listen.js';

const dimension = 32;

export interface OpenAiServer {
  readonly url: string;
  /** Number of requests with the refused text. */
  readonly refused: number;
  close(): Promise<void>;
}

/** A server with `/v1/embeddings` that answers 400 to every batch with a certain word. */
export async function openAiServer(refusedWord: string): Promise<OpenAiServer> {
  let refused = 0;
  const server = await listen((request, response) => {
    void (async () => {
      const input = await inputOf(request);
      const bad = input.some((text) => text.includes(refusedWord));
      if (bad) refused++;
      const body = bad
        ? { error: { message: 'the input is not acceptable', type: 'invalid_request_error' } }
        : { data: input.map((text, index) => ({ index, embedding: vectorOf(text) })) };
      response.writeHead(bad ? 400 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    })();
  });
  return {
    url: `${server.origin}/v1`,
    get refused() {
      return refused;
    },
    close: () => server.stop(),
  };
}

async function inputOf(request: IncomingMessage): Promise<string[]> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece as Uint8Array));
  const body: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'));
  const { input } = body as { input: string | string[] };
  return typeof input === 'string' ? [input] : input;
}

/** Not zero for any text. */
function vectorOf(text: string): number[] {
  const vector = Array.from({ length: dimension }, () => 1);
  for (let n = 0; n < text.length; n++) {
    const at = text.charCodeAt(n) % dimension;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  return vector;
}
