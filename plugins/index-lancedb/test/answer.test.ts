import type { Table } from '@lancedb/lancedb';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answerTo, rowsIn } from '../src/answer.js';
import { firstBatchIn } from '../src/ipc.js';
import { loadLance } from '../src/lance.js';
import { rawRows } from '../src/rows.js';
import { inFolder } from './world.js';

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
  await inFolder(async (folder) => {
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
  // The first answer of a kind is read by Arrow, and the next one knows it.
  for (const time of ['first', 'second']) {
    const answered = rawRows(await answerTo(ask(), { maxBatchLength: 256 }));
    const shown = answered.map((row) => JSON.stringify(row, asText));
    assert.equal(shown, expected, `${columns.join()} ${where} ${time}`);
  }
  return expected.length;
};

function asText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

test('answers are what Arrow reads in them, whatever the columns, the rows and their number', () =>
  withRows(async (table) => {
    for (const columns of [['text', 'empty', 'number'], ['number'], ['title', 'text'], ['words']]) {
      assert.is(await isSame(table, columns, 'number > -100'), 600);
      assert.is(await isSame(table, columns, 'number = -3'), 1);
      assert.is(await isSame(table, columns, 'number > 1000'), 0);
      assert.is(await isSame(table, columns, 'title is not null and number < 0'), 20);
    }
  }));

test('texts and numbers without gaps are read without Arrow, in batches; whatever else, by Arrow', () =>
  withRows(async (table) => {
    const { run } = loadLance();
    const answers = async (columns: string[]): Promise<readonly boolean[]> => {
      const answer = await run(table.query().select(columns), { maxBatchLength: 256 });
      const isRead: boolean[] = [];
      for (let file = await answer.next(); file !== null; file = await answer.next())
        isRead.push(firstBatchIn(file) !== null);
      return isRead;
    };
    assert.equal(await answers(['text', 'number']), [true, true, true]);
    assert.equal(await answers(['title']), [false, false, false]);
    const batches = await answerTo(table.query().select(['text']), { maxBatchLength: 256 });
    assert.equal(
      batches.map((batch) => batch.rows),
      [256, 256, 88],
    );
    assert.is(rowsIn(batches), 600);
  }));

test('a batch without rows is left to Arrow', () => {
  const { RecordBatch, RecordBatchFileWriter, Utf8, vectorFromArray } = loadLance().arrow;
  const fileOf = (values: string[]): Uint8Array => {
    const [text] = vectorFromArray(values, new Utf8()).data;
    assert.ok(text);
    return RecordBatchFileWriter.writeAll([new RecordBatch({ text })]).toUint8Array(true);
  };
  assert.is(firstBatchIn(fileOf(['a']))?.rows, 1);
  assert.is(firstBatchIn(fileOf([])), null);
});

test('what is no file of Arrow is left to Arrow to complain about', () => {
  for (const bytes of [new Uint8Array(), new TextEncoder().encode('ARROW1'), new Uint8Array(64)])
    assert.is(firstBatchIn(bytes), null);
});

test.run();
