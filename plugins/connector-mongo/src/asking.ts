import { setTimeout as delay } from 'node:timers/promises';

import { bytesAtOnce } from '@trove/connector-kit';
import { MongoNetworkError, type AbstractCursor, type Document, type FindOptions } from 'mongodb';

import type { Config } from './config.js';

/** What every question to the server has. */
export interface Asking {
  readonly maxTimeMS: number;
  readonly signal: AbortSignal;
}

export function askingOf({ timeout_s }: Pick<Config, 'timeout_s'>, signal: AbortSignal): Asking {
  return { maxTimeMS: timeout_s * 1000, signal };
}

/** Documents as they are stored, to be read one at a time. */
export const stored = { raw: true } as const satisfies FindOptions;

export interface Batch {
  readonly documents: readonly Uint8Array[];
  readonly bytes: number;
  /** There may be more: the rest was too much to be held at once, or the server lost the cursor. */
  readonly isTruncated: boolean;
}

const mostAttempts = 6;
/** Doubled each time: the driver learns only bit by bit which of its connections have ended. */
const firstPauseMs = 25;

/** What a cursor gives, about as much as may be held in memory at once. `open` is asked again while connections break. */
export async function batchOf(
  open: () => AbstractCursor<Document>,
  { signal }: Asking,
): Promise<Batch> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await batchIn(open());
    } catch (error) {
      signal.throwIfAborted();
      // The driver tries a second time, which may meet another connection that has ended.
      if (attempt === mostAttempts || !(error instanceof MongoNetworkError)) throw error;
      await delay(firstPauseMs * 2 ** attempt, undefined, { signal });
    }
  }
}

/** The cursor is closed. Throws if it gives nothing. */
async function batchIn(cursor: AbstractCursor<Document>): Promise<Batch> {
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
      isTruncated = bytes >= bytesAtOnce;
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
