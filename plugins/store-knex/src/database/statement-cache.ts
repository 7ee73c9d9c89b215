/** Capacity of the cache. The least recently used statement is dropped. */
const maxStatements = 100;
/** A cached statement retains its values, so larger values (in characters) bypass the cache. */
const largeValueCharacters = 64 * 1024;

type Done = (this: unknown, error: Error | null, rows?: unknown) => void;

interface PreparedStatement {
  all(values: readonly unknown[], done: Done): unknown;
  finalize(): unknown;
}

/** The part of the driver's connection that this package uses. */
export interface SqliteConnection {
  exec(sql: string, done: (error: Error | null) => void): void;
  all(sql: string, values: readonly unknown[], done: Done): void;
  prepare(sql: string, done: (error: Error | null) => void): PreparedStatement;
  close(done: (error: Error | null) => void): void;
}

/**
 * Makes a connection prepare each statement once. The driver alone prepares it at each call, which takes longer than
 * most reads. The caller must run one statement at a time.
 */
export function cacheStatements(connection: SqliteConnection): void {
  const kept = new Map<string, PreparedStatement>();
  const runAnew = connection.all.bind(connection);
  const close = connection.close.bind(connection);

  const keep = (sql: string, statement: PreparedStatement): void => {
    kept.delete(sql);
    kept.set(sql, statement);
    const [oldest] = kept;
    if (kept.size <= maxStatements || oldest === undefined) return;
    kept.delete(oldest[0]);
    oldest[1].finalize();
  };

  connection.all = (sql, values, done) => {
    if (isLarge(values)) return runAnew(sql, values, done);
    const known = kept.get(sql);
    if (known !== undefined) {
      keep(sql, known);
      known.all(values, done);
      return;
    }
    const statement = connection.prepare(sql, (error) => {
      if (error !== null) return done.call(statement, error);
      keep(sql, statement);
      statement.all(values, done);
    });
  };

  // A connection with open statements cannot be closed.
  connection.close = (done) => {
    for (const statement of kept.values()) statement.finalize();
    kept.clear();
    close(done);
  };
}

function isLarge(values: readonly unknown[]): boolean {
  let chars = 0;
  for (const value of values) if (typeof value === 'string') chars += value.length;
  return chars > largeValueCharacters;
}
