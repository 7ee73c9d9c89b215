import type { ResultEnvelope } from '@trove/client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countOption, type Facets } from '../src/search/facets.js';
import { hasType } from '../src/search/filter-options.js';

const test = suite('the counts of filters');

test('recognise the types of files by their names', () => {
  const notes = 'md,txt,rst,org,wiki,tex';
  const scripts = 'sh,bat,make,docker';
  for (const name of ['a.md', 'README.txt', 'x.y.tex']) assert.ok(hasType(name, notes), name);
  for (const name of ['md', 'a.md.gz', 'amd', 'a.MD']) assert.not(hasType(name, notes), name);
  const own = ['Makefile', 'Dockerfile', 'my.Dockerfile.dev', 'docker-compose.prod.yml', '.bashrc'];
  for (const name of own) assert.ok(hasType(name, scripts), name);
  for (const name of ['Makefile.md', 'compose.yml']) assert.not(hasType(name, scripts), name);
  assert.not(hasType('a.md', 'unknown'));
});

function facetsOf(sources: readonly string[], isComplete: boolean): Facets {
  const hits = sources.map((source): ResultEnvelope => ({
    source,
    content: '',
    score: 1,
    locator: null,
    metadata: {
      kind: 'text',
      chunk_kind: 'body',
      connector_type: 'file',
      media_type: null,
      title: null,
      modified_at: new Date(Date.now() - 2 * 86_400_000).toISOString(),
      url: null,
      author: null,
      also: [],
      demoted_reason: null,
      fields: {},
      scores: { dense: null, sparse: null, rerank: null },
    },
  }));
  const counted = { hits, isComplete };
  return { path: counted, type: counted, kind: counted, since: counted };
}

test('count the passages of each option', () => {
  const facets = facetsOf(
    ['file://local/a/x.md', 'file://local/a/y.py', 'file://local/ab/z.md'],
    true,
  );
  assert.is(countOption(facets, 'path', 'file://local/a'), 2);
  assert.is(countOption(facets, 'type', 'py,jupyter'), 1);
  assert.is(countOption(facets, 'kind', 'body'), 3);
  assert.is(countOption(facets, 'kind', 'row_text,record_aggregate'), 0);
  assert.is(countOption(facets, 'since', '1d'), 0);
  assert.is(countOption(facets, 'since', '7d'), 3);
});

test('do not claim that there is none if only the best passages are counted', () => {
  const facets = facetsOf(['file://local/a/x.md'], false);
  assert.is(countOption(facets, 'type', 'md,txt,rst,org,wiki,tex'), 1);
  assert.is(countOption(facets, 'type', 'py,jupyter'), null);
});

test.run();
