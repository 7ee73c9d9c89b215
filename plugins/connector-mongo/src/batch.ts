import { setTimeout as delay } from 'node:timers/promises';

import { maxBatchBytes } from '@trove/connector-kit';
import { MongoNetworkError, type AbstractCursor, type Document, type FindOptions } from 'mongodb';

import type { MongoConfig } from './config.js';

/** What every question to the server has. */
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

/** Documents as they are stored, to be read one at a time. */
export const rawDocuments = { raw: true } as const satisfies FindOptions;

export interface DocumentBatch {
  readonly documents: readonly Uint8Array[];
  readonly bytes: number;
  /** There may be more: the rest was too much to be held at once, or the server lost the cursor. */
  readonly isTruncated: boolean;
}

const maxAttempts = 6;
/** Doubled each time: the driver learns only bit by bit which of its connections have ended. */
const firstPauseMs = 25;

/** What a cursor gives, about as much as may be held in memory at once. `open` is asked again while connections break. */
export async function readBatch(
  open: () => AbstractCursor<Document>,
  { signal }: MongoReadOptions,
): Promise<DocumentBatch> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readCursor(open());
    } catch (error) {
      signal.throwIfAborted();
      // The driver tries a second time, which may meet another connection that has ended.
      if (attempt === maxAttempts || !(error instanceof MongoNetworkError)) throw error;
      await delay(firstPauseMs * 2 ** attempt, undefined, { signal });
    }
  }
}

/** The cursor is closed. Throws if it gives nothing. */
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
