import type { IndexHit, RowIdentity } from '@trove/core/index';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findHits, type Searchable } from '../src/query/search/hit-finder.js';
import { rankBySparse } from '../src/query/search/fusion.js';

const test = suite('pages of hits');
const rows = 700;

function identity(key: string): RowIdentity {
  return {
    id: key,
    group: `object ${key}`,
    source: `file://local/${key.padStart(4, '0')}`,
    ordinal: 0,
    digest: key,
    demotedReason: null,
  };
}

function hit(key: string): IndexHit {
  const { id, group, source, ordinal } = identity(key);
  const said = { kind: 'chunk', content: key, locator: null, title: null, mediaType: null };
  return { id, group, source, ordinal, ...said, connectorType: 'x', modifiedAt: null, fields: {} };
}

/** Like real indices, reorders some rows when more are requested. */
const collection: Searchable = {
  search: async ({ candidates }) => {
    const shift = candidates % 7;
    const sparse = Array.from({ length: rows }, (_, at) => ({
      key: String(at),
      score: rows - at + ((at * 13 + shift * 29) % 40),
    }));
    sparse.sort((a, b) => b.score - a.score);
    return { dense: [], sparse: sparse.slice(0, candidates) };
  },
  identify: async (keys) => keys.map(identity),
  fetch: async (keys) => keys.map(hit),
};

async function page(offset: number, limit: number, collapse: boolean): Promise<string[]> {
  const found = await findHits(collection, {
    query: {
      sparse: { terms: ['x'], pairs: [] },
      pairWeight: 0,
      signal: new AbortController().signal,
    },
    rank: rankBySparse,
    minCandidates: 100,
    needsWords: true,
    offset,
    limit,
    collapse,
    isSelected: null,
    requestedReasons: null,
    isAlive: async () => true,
  });
  return found.page.map(({ row }) => row.id);
}

for (const collapse of [false, true]) {
  test(`small pages${collapse ? ' with one hit per object' : ''} equal one long page`, async () => {
    const pages: string[] = [];
    for (let offset = 0; offset < rows; offset += 10)
      pages.push(...(await page(offset, 10, collapse)));
    assert.is(new Set(pages).size, rows);
    assert.equal(pages, await page(0, rows, collapse));
  });
}

test.run();
