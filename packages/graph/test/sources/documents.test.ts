import { TroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ManualClock } from '@trove/test-support/manual-clock.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import type { ReaderText, SourceReader } from '../../src/index.js';
import { World } from '../support/world.js';

const test = suite('loading sources');

/** The contents by path. Patterns select from them. */
function readerOf(files: ReadonlyMap<string, string>): SourceReader {
  return {
    texts: async function* (target, { filter }): AsyncGenerator<ReaderText> {
      const found = [...files].filter(([path]) => `${path}/`.startsWith(`${target}/`));
      if (found.length === 0) throw new TroveError('not_found', 'There is nothing');
      for (const [path, text] of found) {
        if (filter !== undefined && !filter(path.slice(target.length + 1))) continue;
        yield { source: `file://local${path}`, title: null, text };
      }
    },
  };
}

test('treats a path as a pattern only if it does not exist', async () => {
  const files = new Map([
    ['/notes/a[1].md', 'literal'],
    ['/notes/a1.md', 'matched'],
    ['/notes/b1.md', 'one'],
    ['/notes/b2.md', 'two'],
  ]);
  const { graphs, close } = await new World().open({ reader: readerOf(files) });
  const textsOf = async (source: string): Promise<string[]> => {
    await graphs.importSources({ sources: [source], graph_name: 'g' });
    const { documents } = await graphs.documents({ graph_name: 'g' });
    return documents.map(({ text }) => text);
  };
  assert.equal(await textsOf('/notes/a[1].md'), ['literal']);
  assert.equal(await textsOf('/notes/b*.md'), ['one', 'two']);
  await close();
});

test('reports a source that fails at once and loads the others', async () => {
  const reader = readerOf(new Map([['/notes/a.md', 'text']]));
  const { graphs, close } = await new World().open({ reader });
  let progress = 0;
  const answer = await graphs.importSources(
    { sources: ['/none', '/notes'], graph_name: 'g' },
    { onProgress: () => progress++ },
  );
  assert.equal([answer.num_documents, answer.errors], [1, ['/none: There is nothing']]);
  assert.ok(progress >= 4, `${progress}: each source, object and passage`);
  await close();
});

test('reports a source that takes too long and loads the others', async () => {
  const never = new Promise<never>(() => {});
  const given: (number | undefined)[] = [];
  const reader: SourceReader = {
    texts: async function* (_target, { timeoutMs }): AsyncGenerator<ReaderText> {
      given.push(timeoutMs);
      yield { source: 'file://local/a', title: null, text: 'text' };
    },
  };
  const maxDocumentMs = 200_000;
  using clock = new ManualClock(maxDocumentMs);
  const { graphs, close } = await new World().open({ reader, maxDocumentMs });
  const read = async function* (): AsyncGenerator<Uint8Array> {
    yield await never;
  };
  const quick = {
    name: 'b.txt',
    type: 'text/plain',
    read: async function* () {
      yield Buffer.from('quick');
    },
  };
  const uploading = graphs.upload([{ name: 'a.txt', type: 'text/plain', read }, quick]);
  await waitUntil(() => clock.waiting.includes(maxDocumentMs), 'the first is read');
  clock.advance(maxDocumentMs);
  const answer = await uploading;
  assert.equal([answer.num_documents, answer.errors], [1, ['a.txt: It took longer than 200 s']]);
  await graphs.importSources({ sources: ['/x'] });
  assert.equal(given, [maxDocumentMs]);
  await close();
});

test('rejects too long documents before it reads them completely', async () => {
  let given = 0;
  const text = 'x'.repeat(64 * 1024 * 1024);
  const reader: SourceReader = {
    texts: async function* (): AsyncGenerator<ReaderText> {
      for (; given < 32; given++) yield { source: `file://local/${given}`, title: null, text };
    },
  };
  const { graphs, close } = await new World().open({ reader });
  const options = { sources: ['/x'], graph_name: 'g', chunk_documents: false };
  const building = graphs.importSources({ ...options, extract_triplets: false });
  const [ended] = await Promise.allSettled([building]);
  assert.is(ended.status, 'rejected');
  assert.is(given, 4);
  await close();
});

test.run();
