import { isCheckpoint } from '@trove/core';
import type { ItemBatchLimits } from '@trove/runtime';
import type { RecordContent, RecordSelection } from '../../content/record-content.js';
import type { RecordItem } from '../../sources/connectors/invalid-record.js';
import type { SampledRecords } from './sampled-content.js';

/** Yields all records of an object in batches. Requests only those after the sampled ones. */
export async function* readAfterSample(
  content: RecordContent,
  sampled: SampledRecords | null,
  part: ItemBatchLimits,
): AsyncGenerator<readonly RecordItem[], void, undefined> {
  const { batches, rest } = continuationOf(sampled ?? { batches: [], isWhole: false });
  yield* batches;
  if (rest !== null) yield* content.parts(part, rest);
}

/** Returns the sampled batches to use and how to request the records after them. Null: there are none. */
function continuationOf({ batches, isWhole }: SampledRecords): {
  readonly batches: SampledRecords['batches'];
  readonly rest: RecordSelection | null;
} {
  if (isWhole) return { batches, rest: null };
  const at = batches.findLastIndex((batch) => checkpointOf(batch) !== null);
  const checkpoint = checkpointOf(batches[at] ?? []);
  if (checkpoint !== null)
    return { batches: batches.slice(0, at + 1), rest: { resume: checkpoint.checkpoint } };
  const offset = batches.reduce((sum, { length }) => sum + length, 0);
  return { batches, rest: offset === 0 ? {} : { offset } };
}

/** Returns the checkpoint at the end of a batch, or null. */
function checkpointOf(batch: readonly RecordItem[]) {
  const last = batch.at(-1);
  return last !== undefined && isCheckpoint(last) ? last : null;
}
