import { changeTimeAmong, type RelationChanges } from '@trove/connector-kit';
import { ObjectId, type Collection, type Document } from 'mongodb';

import type { Asking } from './asking.js';
import type { Documents } from './documents.js';
import { idName } from './ids.js';
import { elements, type Shape } from './shape.js';

/** With more of them than this, all documents are read and compared instead. */
const mostChanged = 20_000;
/** Clocks differ, and what is written last is not always seen last. */
const slackMs = 10 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;

/** What tells when documents were changed, and the latest of these times that was met. */
interface Mark {
  readonly field: string;
  /** ISO 8601; null: none has one. */
  readonly at: string | null;
}

/** The field that probably tells when a document was changed: no document of the sample has anything but a date there. */
export function changeFieldOf({ fields }: Shape): string | null {
  const dates = fields.flatMap(({ path: [name, ...rest], types }) =>
    rest.length === 0 && name !== undefined && name !== elements && isDate(types) ? [{ name }] : [],
  );
  return changeTimeAmong(dates)?.name ?? null;
}

function isDate(types: ReadonlyMap<string, number>): boolean {
  return types.has('date') && [...types.keys()].every((type) => type === 'date' || type === 'null');
}

/** What changed in a collection since an earlier mark. `field`: one with dates, or `_id` for the time in ObjectIds. */
export async function changesOf(
  collection: Collection,
  documents: Documents,
  field: string,
  before: unknown,
  asking: Asking,
): Promise<RelationChanges> {
  const at = await latestOf(collection, field, asking);
  const mark: Mark = { field, at };
  const known = { mark, since: null };
  if (!isMark(before) || before.field !== field || before.at === null) return known;
  const total = await collection.countDocuments({}, asking);
  const since = sinceOf(field, new Date(Date.parse(before.at) - slackMs));
  const changed = await collection.countDocuments(since, { ...asking, limit: mostChanged + 1 });
  return changed > mostChanged
    ? known
    : { mark, since: { records: documents.where(since), total } };
}

/** A time in the future says nothing of what comes before it. */
async function latestOf(
  collection: Collection,
  field: string,
  asking: Asking,
): Promise<string | null> {
  const until = new Date(Date.now() + dayMs);
  const filter = { [field]: { $type: typeIn(field), $lte: valueAt(field, until) } };
  const options = { ...asking, projection: { [field]: 1 }, sort: { [field]: -1 } } as const;
  const found: unknown = (await collection.findOne(filter, options))?.[field];
  if (found instanceof ObjectId) return found.getTimestamp().toISOString();
  return found instanceof Date && !Number.isNaN(found.getTime()) ? found.toISOString() : null;
}

/** Documents that were changed after a time, or of which it is not known. */
function sinceOf(field: string, time: Date): Document {
  return {
    $or: [
      { [field]: { $gt: valueAt(field, time) } },
      { [field]: { $not: { $type: typeIn(field) } } },
    ],
  };
}

function typeIn(field: string): string {
  return field === idName ? 'objectId' : 'date';
}

function valueAt(field: string, time: Date): Date | ObjectId {
  const seconds = Math.max(0, Math.floor(time.getTime() / 1000));
  return field === idName ? ObjectId.createFromTime(seconds) : time;
}

function isMark(value: unknown): value is Mark {
  if (typeof value !== 'object' || value === null) return false;
  if (!('field' in value) || !('at' in value)) return false;
  return typeof value.field === 'string' && (value.at === null || typeof value.at === 'string');
}
