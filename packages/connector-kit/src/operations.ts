import type { DatabaseSource, Reader, Relation } from './source.js';

/** Runs an operation on a database, which is closed afterwards. */
export async function withReader<R extends Relation, T>(
  source: DatabaseSource<R>,
  signal: AbortSignal,
  use: (reader: Reader<R>) => Promise<T>,
): Promise<T> {
  const reader = await source.open(signal);
  try {
    return await use(reader);
  } finally {
    await reader.close();
  }
}

/** The same for an operation that yields. */
export async function* streamWithReader<R extends Relation, T>(
  source: DatabaseSource<R>,
  signal: AbortSignal,
  use: (reader: Reader<R>) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const reader = await source.open(signal);
  try {
    yield* use(reader);
  } finally {
    await reader.close();
  }
}
