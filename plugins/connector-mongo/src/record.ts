import { recordOf } from '@trove/connector-kit';
import type { RecordKey, SourceRecord } from '@trove/core';
import { ObjectId } from 'mongodb';

import { idName } from './ids.js';
import { renderMembers, type BsonDocument } from './values.js';

/** Creates the record of a document. Uses the time of its ObjectId if no field has a time. */
export function documentRecord(key: RecordKey, document: BsonDocument): SourceRecord {
  const record = recordOf(key, renderMembers(document));
  const { [idName]: id } = document;
  if (record.at !== undefined || !(id instanceof ObjectId)) return record;
  const at = id.getTimestamp().getTime();
  return isPlausible(at) ? { ...record, at } : record;
}

/** An application may create an ObjectId with any time. */
function isPlausible(at: number): boolean {
  return at > Date.UTC(2007, 0) && at < Date.now() + 24 * 60 * 60 * 1000;
}
