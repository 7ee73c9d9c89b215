import { isDeepStrictEqual } from 'node:util';
import type { Collection, IndexRow } from '@trove/core/index';
import { kindOf, mediaTypeOf } from '@trove/text/media-types';
import type { ObjectBytes } from '../../content/classification.js';
import { decompressedName } from '../../content/compressed-content.js';
import type { Contents } from '../../content/contents.js';
import { nameOf } from '../../sources/objects/stated-type.js';
import {
  prepareBytes,
  type ObjectToIndex,
  type PrepareContext,
  type ReadyObject,
  type TaskSource,
} from '../tasks/prepare-object.js';
import type { Origin } from './origin.js';
import { partKinds, restoreParts, restoreText } from './restore-text.js';

export interface MoveContext extends PrepareContext {
  readonly collection: Pick<Collection, 'rows'>;
  readonly contents: Pick<Contents, 'converts'>;
}

/**
 * Prepares the rows of a moved text from its stored rows, as if it were read at its new path. Null if it must be read. Rows
 * that the embedder does not compute in the threads keep their vectors.
 */
export async function prepareMovedText(
  context: MoveContext,
  source: TaskSource,
  object: ObjectToIndex,
  origin: Origin,
): Promise<ReadyObject | null> {
  const { revision, searchStatus, chunks } = origin.object;
  if (searchStatus !== 'indexed' || revision === null || origin.plan.revision !== revision)
    return null;
  const rows = await findRows(context.collection, origin.object.id, object.id);
  if (rows.length !== chunks || rows.some(({ vector }) => vector === null)) return null;
  const bytes = restoreBytes(context, source, object, origin, rows);
  if (bytes === null) return null;
  const prepared = await prepareBytes(context, source, object, bytes, null);
  if (prepared.status !== 'ready' || prepared.partial || !areAlike(prepared.rows, rows))
    return null;
  // The hash is that of the source's bytes and of the settings.
  const isSameHash = object.plan.settingsKey === origin.plan.settingsKey;
  return {
    ...prepared,
    contentHash: isSameHash ? origin.object.contentHash : null,
    rows: prepared.rows.map((row, at) => ({
      ...row,
      vector: row.vector ?? rows[at]?.vector ?? null,
    })),
  };
}

/** Returns the rows at the old path or, if a worker died after it moved them, at the new one. */
async function findRows(
  collection: MoveContext['collection'],
  from: string,
  to: string,
): Promise<IndexRow[]> {
  const rows = await collection.rows(from);
  return rows.length > 0 ? rows : collection.rows(to);
}

/** Restores the bytes of a text as the engine reads it. Null if its new path gives it another type. */
function restoreBytes(
  { contents }: MoveContext,
  { connector: { rootUri } }: TaskSource,
  { entry }: ObjectToIndex,
  { object: { path, title, mediaType }, stated }: Origin,
  rows: readonly IndexRow[],
): ObjectBytes | null {
  const text = restoreText(rows);
  if (text === null) return null;
  const bytes = new TextEncoder().encode(text);
  const [from, to] = [path, entry.path].map((each) => nameOf(rootUri, each));
  if (from === undefined || to === undefined || !isNamedAlike(from, to, bytes)) return null;
  const innerName = decompressedName(to);
  const isConverted = contents.converts(mediaType);
  if (isConverted && !hasKnownFacts(entry, stated)) return null;
  return {
    bytes,
    name: innerName ?? to,
    kind: innerName === null ? (entry.kind ?? null) : null,
    mediaType,
    conversion: isConverted
      ? { title: entry.title === undefined ? title : null, parts: restoreParts(rows) }
      : null,
    encoding: 'utf-8',
  };
}

/** Whether two names give a text the same type. */
function isNamedAlike(from: string, to: string, bytes: Uint8Array): boolean {
  const typesOf = (name: string): unknown[] => {
    const innerName = decompressedName(name);
    const inner = innerName ?? name;
    const isText = [false, true].map((isBinary) => kindOf(inner, null, isBinary));
    return [innerName === null, mediaTypeOf(name), mediaTypeOf(inner, bytes), ...isText];
  };
  return isDeepStrictEqual(typesOf(from), typesOf(to));
}

/** Whether the title and the parts of a converted document can be told from those that the source stated. */
function hasKnownFacts(
  entry: Pick<Origin['stated'], 'title' | 'fields'>,
  stated: Origin['stated'],
): boolean {
  if (entry.title === undefined && stated.title !== undefined) return false;
  const names = Object.keys({ ...entry.fields, ...stated.fields });
  return partKinds.every((kind) => !names.includes(kind));
}

function areAlike(rows: readonly IndexRow[], old: readonly IndexRow[]): boolean {
  return (
    rows.length === old.length &&
    rows.every(({ content, locator }, at) => {
      return content === old[at]?.content && isDeepStrictEqual(locator, old[at]?.locator);
    })
  );
}
