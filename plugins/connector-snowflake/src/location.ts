import { parseUri, TroveError } from '@trove/core';

/** A database of an account, or one of its schemas. */
export interface SnowflakeLocation {
  readonly account: string;
  /** The user that the target names, or null. */
  readonly user: string | null;
  readonly database: string;
  /** Null for all schemas. */
  readonly schema: string | null;
}

/** Reads `snowflake://USER@ACCOUNT/DATABASE/SCHEMA`, of which user and schema are optional. Throws `validation_error` for others. */
export function locateSchemas(target: string): SnowflakeLocation {
  const { authority, path } = parseUri(target);
  const [database, schema = null, ...others] = path.split('/').filter((step) => step !== '');
  const at = authority.lastIndexOf('@');
  const account = authority.slice(at + 1);
  if (/^[\w.-]+$/.test(account) && database !== undefined && others.length === 0)
    return { account, user: at > 0 ? authority.slice(0, at) : null, database, schema };
  throw new TroveError(
    'validation_error',
    'target: must name an account, a database, and at most one schema',
    { suggestions: ['Write it like snowflake://reader@myorg-account/SHOP/PUBLIC.'] },
  );
}

/** Quotes a name, which keeps its case. */
export function quoteIdentifier(...names: readonly string[]): string {
  return names.map((name) => `"${name.replaceAll('"', '""')}"`).join('.');
}
