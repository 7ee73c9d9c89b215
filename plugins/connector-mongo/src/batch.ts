import { setTimeout as delay } from 'node:timers/promises';

import { maxBatchBytes } from '@trove/connector-kit';
import { MongoNetworkError, type AbstractCursor, type Document, type FindOptions } from 'mongodb';

import type { MongoConfig } from './config.js';

/** Options of every read. */
export interface MongoReadOptions {
  readonly maxTimeMS: number;
  readonly signal: AbortSignal;
}

export function readOptionsOf(
  { timeout_s }: Pick<MongoConfig, 'timeout_s'>,
  signal: AbortSignal,
): MongoReadOptions {
  return { maxTimeMS: timeout_s * 1000, signal };
}

/** Makes the driver return undecoded documents. */
export const rawDocuments = { raw: true } as const satisfies FindOptions;

export interface DocumentBatch {
  readonly documents: readonly Uint8Array[];
  readonly bytes: number;
  /** Whether documents may follow, because the byte limit was reached or the server lost the cursor. */
  readonly isTruncated: boolean;
}

const maxAttempts = 6;
/** Doubled on each attempt, because the driver detects closed connections one by one. */
const firstPauseMs = 25;

/** Reads the first documents of a cursor, up to about `maxBatchBytes`. Calls `open` again after a network error. */
export async function readBatch(
  open: () => AbstractCursor<Document>,
  { signal }: MongoReadOptions,
): Promise<DocumentBatch> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readCursor(open());
    } catch (error) {
      signal.throwIfAborted();
      // The driver's own retry may hit another closed connection.
      if (attempt === maxAttempts || !(error instanceof MongoNetworkError)) throw error;
      await delay(firstPauseMs * 2 ** attempt, undefined, { signal });
    }
  }
}

/** Reads and closes the cursor. Throws an error only if it has returned no documents. */
async function readCursor(cursor: AbstractCursor<Document>): Promise<DocumentBatch> {
  const documents: Uint8Array[] = [];
  let bytes = 0;
  let isTruncated = false;
  try {
    while (await cursor.hasNext()) {
      for (const document of cursor.readBufferedDocuments()) {
        if (!(document instanceof Uint8Array)) continue;
        documents.push(document);
        bytes += document.byteLength;
      }
      isTruncated = bytes >= maxBatchBytes;
      if (isTruncated) break;
    }
  } catch (error) {
    if (documents.length === 0) throw error;
    isTruncated = true;
  } finally {
    await cursor.close().catch(() => undefined);
  }
  return { documents, bytes, isTruncated };
}
