import type { DatabaseSource, DatabaseReader, Relation } from './source.js';

/** Runs an operation on a database, which is closed afterwards. */
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

/** The same for an operation that yields. */
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

/** What to throw instead of what was thrown. */
function toReaderError<R extends Relation>(
  source: DatabaseSource<R>,
  signal: AbortSignal,
  thrown: unknown,
): unknown {
  if (signal.aborted) return signal.reason;
  return source.toTroveError?.(thrown) ?? thrown;
}
