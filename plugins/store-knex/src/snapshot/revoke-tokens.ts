import type { StoreSession } from '../database/types.js';
import { number, text } from '../database/values.js';

/** The first schema with tokens. */
const tokenSchema = 12;

/**
 * Deletes the tokens of all namespaces, because some may have been revoked since the snapshot. Returns their names, each
 * once, in order.
 */
export async function revokeTokens(session: StoreSession): Promise<string[]> {
  if ((await schemaOf(session)) < tokenSchema) return [];
  const rows = await session.all('delete from trove_tokens returning name');
  return [...new Set(rows.map((row) => text(row, 'name')))].sort();
}

/** Returns the version of the schema; 0 for an empty database. */
export async function schemaOf(session: StoreSession): Promise<number> {
  const [row] = await session.all('select max(version) as version from trove_metadata_migrations');
  return row === undefined ? 0 : number(row, 'version');
}
