import type { RequestListener } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { listen, type TestServer } from '@trove/test-support/listen.js';
import { suggestModels } from '../src/doctor/checks.js';
import { detectModels, modelServers } from '../src/doctor/local-models.js';

const test = suite('models on this machine');

/** Starts a server that answers one path with JSON, like a local model server. */
const answering =
  (path: string, body: unknown): RequestListener =>
  ({ url }, response) => {
    if (url !== path) response.writeHead(404).end('{}');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

/** Returns a known server with another URL. */
function at(provider: string, { origin }: TestServer) {
  const server = modelServers.find((each) => each.provider === provider);
  if (server === undefined) throw new Error(provider);
  const { pathname } = new URL(server.url);
  return { ...server, url: `${origin}${pathname}` };
}

async function advice(embedder: string, servers: Parameters<typeof detectModels>[0]) {
  const checks = [...suggestModels(embedder, await detectModels(servers))];
  return checks.map((check) => `${check.detail} → ${check.advice ?? ''}`);
}

test('suggests the first search model of each server with its settings', async () => {
  const ids = ['gemma3:latest', 'nomic-embed-text:latest', 'mxbai-embed-large:latest'];
  const list = { object: 'list', data: ids.map((id) => ({ id, object: 'model' })) };
  await using ollama = await listen(answering('/v1/models', list));
  await using vllm = await listen(
    answering('/v1/models', { object: 'list', data: [{ id: 'BAAI/bge-m3', root: 'x' }] }),
  );
  await using embeds = await listen(
    answering('/info', {
      model_id: 'intfloat/e5-base',
      model_type: { embedding: { pooling: 'mean' } },
    }),
  );
  await using ranks = await listen(
    answering('/info', {
      model_id: 'BAAI/bge-reranker-base',
      model_type: { reranker: { id2label: {} } },
    }),
  );
  const servers = [at('ollama', ollama), at('vllm', vllm), at('tei', embeds), at('tei', ranks)];
  assert.equal(await advice('lexical', servers), [
    'Ollama on this machine has nomic-embed-text:latest → For search by meaning, in server.toml: [embedding] provider = "ollama", model = "nomic-embed-text:latest"; after a restart, the server indexes the sources again in the background',
    'vLLM on this machine has BAAI/bge-m3 → For search by meaning, in server.toml: [embedding] provider = "vllm", model = "BAAI/bge-m3"; after a restart, the server indexes the sources again in the background',
    'Text Embeddings Inference on this machine has intfloat/e5-base → For search by meaning, in server.toml: [embedding] provider = "tei", model = "intfloat/e5-base"; after a restart, the server indexes the sources again in the background',
    'Text Embeddings Inference on this machine has BAAI/bge-reranker-base → For reranking, in server.toml: [rerank] provider = "tei", model = "BAAI/bge-reranker-base"',
  ]);
  assert.is((await advice('ollama', servers)).length, 1, 'who has chosen is offered no other');
});

test('ignores servers without a search model, other programs and silence', async () => {
  const models = (data: unknown): RequestListener => answering('/v1/models', { data });
  for (const answer of [
    models([{ id: 'gemma3' }, { id: 'bge-reranker' }]),
    models([{ id: 'embed"\n[server]\nbind = "0.0.0.0' }, { id: 7 }, null]),
    models({}),
    answering('/v1/models', null),
    answering('/elsewhere', {}),
    ((_, response) => void response.end('embed <html>')) satisfies RequestListener,
    ((_, response) =>
      void response.writeHead(302, { location: '/v1/models' }).end()) satisfies RequestListener,
    ((_, response) =>
      void response.end(
        `{"data":[{"id":"embed"}],"x":"${'x'.repeat(2_000_000)}"}`,
      )) satisfies RequestListener,
    (() => undefined) satisfies RequestListener,
  ]) {
    await using server = await listen(answer);
    assert.equal(await detectModels([at('ollama', server)]), []);
  }
  const gone = await listen(models([]));
  await gone[Symbol.asyncDispose]();
  assert.equal(await detectModels([at('ollama', gone)]), []);
  await using tei = await listen(answering('/info', { model_id: 'x', model_type: 'classifier' }));
  assert.equal(await detectModels([at('tei', tei)]), []);
});

test.run();
