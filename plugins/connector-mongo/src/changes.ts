import { changeTimeOf, type TableChanges } from '@trove/connector-kit';
import { ObjectId, type Collection, type Document } from 'mongodb';

import type { MongoReadOptions } from './batch.js';
import type { CollectionDocuments } from './documents.js';
import { idName } from './ids.js';
import { arrayElements, type InferredSchema } from './inferred-schema.js';

/** With more changed documents, all are read and compared instead. */
const maxChangedDocuments = 20_000;
/** Covers clock differences and writes that become visible late. */
const slackMs = 10 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;

/** The field with the time of the last change, and its latest value. */
interface ChangeWatermark {
  readonly field: string;
  /** ISO 8601, or null if no document has the field. */
  readonly at: string | null;
}

/** Returns the field that probably holds the time of the last change. It contains only dates and nulls in the sample. */
export function changeFieldOf({ fields }: InferredSchema): string | null {
  const dates = fields.flatMap(({ path: [name, ...rest], types }) =>
    rest.length === 0 && name !== undefined && name !== arrayElements && isDate(types)
      ? [{ name }]
      : [],
  );
  return changeTimeOf(dates)?.name ?? null;
}

function isDate(types: ReadonlyMap<string, number>): boolean {
  return types.has('date') && [...types.keys()].every((type) => type === 'date' || type === 'null');
}

/** Returns changes since an earlier watermark. `field` contains dates, or is `_id` for the time in ObjectIds. */
export async function changesOf(
  collection: Collection,
  documents: CollectionDocuments,
  field: string,
  previous: unknown,
  readOptions: MongoReadOptions,
): Promise<TableChanges> {
  const at = await latestOf(collection, field, readOptions);
  const watermark: ChangeWatermark = { field, at };
  const fullRead = { watermark, changed: null };
  if (!isChangeWatermark(previous) || previous.field !== field || previous.at === null)
    return fullRead;
  const total = await collection.countDocuments({}, readOptions);
  const filter = changedSinceFilter(field, new Date(Date.parse(previous.at) - slackMs));
  const changed = await collection.countDocuments(filter, {
    ...readOptions,
    limit: maxChangedDocuments + 1,
  });
  return changed > maxChangedDocuments
    ? fullRead
    : { watermark, changed: { records: documents.where(filter), total } };
}

/** Returns the latest time. Ignores times in the future, because they would hide later changes. */
async function latestOf(
  collection: Collection,
  field: string,
  readOptions: MongoReadOptions,
): Promise<string | null> {
  const until = new Date(Date.now() + dayMs);
  const filter = { [field]: { $type: typeOfField(field), $lte: valueAt(field, until) } };
  const options = { ...readOptions, projection: { [field]: 1 }, sort: { [field]: -1 } } as const;
  const latest: unknown = (await collection.findOne(filter, options))?.[field];
  if (latest instanceof ObjectId) return latest.getTimestamp().toISOString();
  return latest instanceof Date && !Number.isNaN(latest.getTime()) ? latest.toISOString() : null;
}

/** Returns a filter for documents changed after a time, or without a time. */
function changedSinceFilter(field: string, time: Date): Document {
  return {
    $or: [
      { [field]: { $gt: valueAt(field, time) } },
      { [field]: { $not: { $type: typeOfField(field) } } },
    ],
  };
}

function typeOfField(field: string): string {
  return field === idName ? 'objectId' : 'date';
}

function valueAt(field: string, time: Date): Date | ObjectId {
  const seconds = Math.max(0, Math.floor(time.getTime() / 1000));
  return field === idName ? ObjectId.createFromTime(seconds) : time;
}

function isChangeWatermark(value: unknown): value is ChangeWatermark {
  if (typeof value !== 'object' || value === null) return false;
  if (!('field' in value) || !('at' in value)) return false;
  return typeof value.field === 'string' && (value.at === null || typeof value.at === 'string');
}
