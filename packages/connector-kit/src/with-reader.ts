import type { DatabaseSource, DatabaseReader, Table } from './source.js';

/** Runs an operation with a new reader, and closes the reader afterwards. */
export async function withReader<T extends Table, Result>(
  source: DatabaseSource<T>,
  signal: AbortSignal,
  use: (reader: DatabaseReader<T>) => Promise<Result>,
): Promise<Result> {
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
export async function* streamWithReader<T extends Table, Result>(
  source: DatabaseSource<T>,
  signal: AbortSignal,
  use: (reader: DatabaseReader<T>) => AsyncIterable<Result>,
): AsyncGenerator<Result> {
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
function toReaderError<T extends Table>(
  source: DatabaseSource<T>,
  signal: AbortSignal,
  thrown: unknown,
): unknown {
  if (signal.aborted) return signal.reason;
  return source.toTroveError?.(thrown) ?? thrown;
}
