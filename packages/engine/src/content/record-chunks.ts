import { setImmediate } from 'node:timers/promises';
import type { SourceRecord } from '@trove/core';
import { chunkRecord } from './chunking/index.js';
import type { RecordContent } from './record-content.js';
import { searchableText } from './record-values.js';

/** Records between two pauses. A source that never waits would block the event loop. */
const recordsPerTurn = 256;

/** Yields each record with the texts of its chunks. Invalid records are left out. */
export async function* chunkRecords(
  content: RecordContent,
  chunkChars: number,
): AsyncGenerator<{ readonly record: SourceRecord; readonly texts: Iterable<string> }, void> {
  let read = 0;
  for await (const record of content.records({}, () => undefined)) {
    if (++read % recordsPerTurn === 0) await setImmediate();
    yield { record, texts: chunkRecord(searchableText(record, content.rule), chunkChars) };
  }
}
