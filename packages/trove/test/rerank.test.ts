// test-waits
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  apiKey,
  rerankServer,
  type RerankServer,
} from '../../../plugins/reranker-http/test/support/rerank-server.js';
import { createTrove, type SettingsInput } from '../src/index.js';

const test = suite<{ root: string; server: RerankServer }>('[rerank]');

test.before.each(async (context) => {
  context.root = await mkdtemp(join(tmpdir(), 'trove-rerank-'));
  context.server = await rerankServer('cohere');
  await mkdir(join(context.root, 'docs'));
  await writeFile(join(context.root, 'docs', 'a.md'), 'Lantern, keeper; lantern, keeper.\n');
  await writeFile(
    join(context.root, 'docs', 'b.md'),
    'What the keeper of such lanterns does is written down elsewhere, by others, at length.\n',
  );
});
test.after.each(async ({ root, server }) => {
  await server[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

/** Sources of the hits in order, with their scores from the model. */
async function hits(root: string, settings: SettingsInput): Promise<[string, number | null][]> {
  const trove = await createTrove({ home: join(root, 'home'), settings });
  try {
    await trove.add({ target: join(root, 'docs'), process: true });
    const { results } = await trove.search({ q: 'the keeper of lanterns', mode: 'keyword' });
    return results.map(({ source, metadata }) => [source.slice(-4), metadata.scores.rerank]);
  } finally {
    await trove.close();
  }
}

test('reorders the best hits with a server, and keeps their order while it fails', async ({
  root,
  server,
}) => {
  const found = await hits(root, {});
  assert.equal(found, [
    ['a.md', null],
    ['b.md', null],
  ]);
  const rerank = {
    provider: 'cohere',
    model: 'test-model',
    base_url: server.baseUrl,
    api_key: apiKey,
  };
  const ranked = await hits(root, { rerank });
  assert.equal(ranked, [
    ['b.md', 0.04],
    ['a.md', 0.01],
  ]);
  assert.is(server.requests.length, 1);
  assert.equal(await hits(root, { rerank: { ...rerank, api_key: 'wrong' } }), found);
  assert.is(server.requests.length, 2);
});

test.run();
