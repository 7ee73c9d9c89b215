import type { Table } from '@lancedb/lancedb';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { groupOf, neverAborted, row } from '@trove/test-support/index-rows.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import type { LanceCollection } from '../src/collection.js';
import { ScopeVocabularies } from '../src/scope-vocabularies.js';
import { TableVersions } from '../src/table-versions.js';
import { withCollection, withTable } from './world.js';

const test = suite('vocabularies of scopes');

interface Opened {
  readonly collection: LanceCollection;
  readonly table: Table;
  /** The local folder of the table. */
  readonly folder: string;
}

function withRows(run: (opened: Opened) => Promise<void>): Promise<void> {
  return withFolder((folder) =>
    withCollection(folder, async (collection) => {
      const rows = ['fox fox dog', 'fox', 'cat'].map((terms, ordinal) =>
        row(`a#${ordinal}`, 'a', { ordinal, terms }),
      );
      await collection.replace([{ group: 'a', rows }, groupOf('b', 2)], neverAborted);
      await withTable(folder, (table) =>
        run({ collection, table, folder: `${folder}/default.lance` }),
      );
    }),
  );
}

const inA = "source = 'file://local/a'";

test('count each row once per term, and only rows of the scope', () =>
  withRows(async ({ table, folder }) => {
    const vocabularies = new ScopeVocabularies(new TableVersions(folder));
    const counts = await vocabularies.counts(table, inA);
    const expected = { fox: 2, dog: 1, cat: 1 };
    assert.equal(Object.fromEntries(counts ?? []), expected);
    assert.is(await vocabularies.counts(table, inA), counts, 'the same version');
  }));

test('are read again when the table has changed', () =>
  withRows(async ({ collection, table, folder }) => {
    const vocabularies = new ScopeVocabularies(new TableVersions(folder));
    await vocabularies.counts(table, inA);
    const rows = [row('a#0', 'a', { terms: 'owl' })];
    await collection.replace([{ group: 'a', rows }], neverAborted);
    await table.checkoutLatest();
    assert.equal([...((await vocabularies.counts(table, inA)) ?? [])], [['owl', 1]]);
  }));

test('are unknown for many rows, and without a local folder', () =>
  withRows(async ({ collection, table, folder }) => {
    await collection.replace([groupOf('large', 1001)], neverAborted);
    await table.checkoutLatest();
    const vocabularies = new ScopeVocabularies(new TableVersions(folder));
    assert.is(await vocabularies.counts(table, "source = 'file://local/large'"), null);
    assert.is.not(await vocabularies.counts(table, inA), null);
    assert.is(await new ScopeVocabularies(new TableVersions(null)).counts(table, inA), null);
  }));

test('give the same counts as the index, up to the maximum', () =>
  withRows(async ({ collection }) => {
    const within = ['file://local/a', 'file://local/none'];
    const counted = async (scope: { within?: string[] }, maxCount: number): Promise<unknown> => {
      const terms = ['fox', 'cat', 'cat', 'Fox', 'fo', 'common'];
      return [...(await collection.frequencies(terms, { ...scope, maxCount }))];
    };
    assert.equal(await counted({ within }, 9), [
      ['fox', 2],
      ['cat', 1],
    ]);
    assert.equal(await counted({ within }, 1), [
      ['fox', 1],
      ['cat', 1],
    ]);
    await collection.replace([groupOf('b', 0)], neverAborted);
    assert.equal(await counted({ within }, 9), await counted({}, 9));
  }));

test.run();
