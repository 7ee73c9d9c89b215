import type { Table } from '@lancedb/lancedb';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readBatches, rowsIn } from '../src/column-batches.js';
import { loadLance } from '../src/lance.js';
import { rawRows } from '../src/rows.js';
import { withFolder } from '@trove/test-support/with-folder.js';

const test = suite('answers');

const texts = ['', 'plain', 'Grüße, 世界 🌍', 'a\nb', '"quoted"'];
const rows = Array.from({ length: 600 }, (_, at) => ({
  text: `${texts[at % texts.length]} ${at}`,
  empty: '',
  title: at % 7 === 0 ? null : `title ${at}`,
  number: at / 8 - 3,
  words: at % 3 === 0 ? [] : [`word${at}`],
}));

async function withRows(run: (table: Table) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const { arrow, connect } = loadLance();
    const { Field, Float64, List, Schema, Utf8 } = arrow;
    const schema = new Schema([
      new Field('text', new Utf8(), false),
      new Field('empty', new Utf8(), false),
      new Field('title', new Utf8(), true),
      new Field('number', new Float64(), false),
      new Field('words', new List(new Field('item', new Utf8(), true)), false),
    ]);
    const connection = await connect(folder);
    await run(await connection.createTable('rows', rows, { schema }));
    connection.close();
  });
}

const isSame = async (table: Table, columns: string[], where: string): Promise<number> => {
  const ask = () => table.query().where(where).withRowId().select(columns);
  const expected = (await ask().toArrow()).toArray().map((row) => JSON.stringify(row, asText));
  const answered = rawRows(await readBatches(ask(), { maxBatchLength: 256 }));
  const shown = answered.map((row) => JSON.stringify(row, asText));
  assert.equal(shown, expected, `${columns.join()} ${where}`);
  return expected.length;
};

function asText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

test('returns the same rows as LanceDB for all columns', () =>
  withRows(async (table) => {
    for (const columns of [['text', 'empty', 'number'], ['number'], ['title', 'text'], ['words']]) {
      assert.is(await isSame(table, columns, 'number > -100'), 600);
      assert.is(await isSame(table, columns, 'number = -3'), 1);
      assert.is(await isSame(table, columns, 'number > 1000'), 0);
      assert.is(await isSame(table, columns, 'title is not null and number < 0'), 20);
    }
  }));

test('returns numbers without nulls as typed arrays', () =>
  withRows(async (table) => {
    const [batch] = await readBatches(table.query().withRowId().select(['number', 'title']));
    assert.instance(batch?.columns.get('number'), Float64Array);
    assert.instance(batch?.columns.get('_rowid'), BigUint64Array);
    assert.instance(batch?.columns.get('title'), Array);
  }));

test('reads batches and stops after the requested rows', () =>
  withRows(async (table) => {
    const ask = (most?: number) =>
      readBatches(table.query().select(['text']), { maxBatchLength: 256 }, most);
    const batches = await ask();
    assert.equal(
      batches.map(({ rows: length }) => length),
      [256, 256, 88],
    );
    assert.is(rowsIn(batches), 600);
    assert.is(rowsIn(await ask(300)), 512);
  }));

test.run();
