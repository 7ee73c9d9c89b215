import type { DatabaseSource, DatabaseReader, Relation } from './source.js';

/** Runs an operation with a new reader, and closes the reader afterwards. */
export async function withReader<R extends Relation, T>(
  source: DatabaseSource<R>,
  signal: AbortSignal,
  use: (reader: DatabaseReader<R>) => Promise<T>,
): Promise<T> {
  try {
    const reader = await source.open(signal);
    try {
      return await use(reader);
    } finally {
      await reader.close();
    }
  } catch (error) {
    throw toReaderError(source, signal, error);
  }
}

/** Like `withReader`, for an operation that yields. */
export async function* streamWithReader<R extends Relation, T>(
  source: DatabaseSource<R>,
  signal: AbortSignal,
  use: (reader: DatabaseReader<R>) => AsyncIterable<T>,
): AsyncGenerator<T> {
  try {
    const reader = await source.open(signal);
    try {
      yield* use(reader);
    } finally {
      await reader.close();
    }
  } catch (error) {
    throw toReaderError(source, signal, error);
  }
}

/** Returns the signal's reason after an abort, otherwise the source's translation of the error. */
function toReaderError<R extends Relation>(
  source: DatabaseSource<R>,
  signal: AbortSignal,
  thrown: unknown,
): unknown {
  if (signal.aborted) return signal.reason;
  return source.toTroveError?.(thrown) ?? thrown;
}
