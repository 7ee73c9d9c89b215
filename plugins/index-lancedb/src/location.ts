import { fileURLToPath } from 'node:url';
import type { ConnectionOptions } from '@lancedb/lancedb';
import { TroveError } from '@trove/core';

/** What to connect to: a folder as a path, anything else as it is. */
export function connectionOptions(
  uri: string,
  token: string | undefined,
): Partial<ConnectionOptions> & { uri: string } {
  if (uri.startsWith('file:')) return { uri: fileURLToPath(uri) };
  if (!uri.startsWith('db:')) return { uri };
  const apiKey = token ?? process.env['LANCEDB_API_KEY'];
  if (apiKey === undefined || apiKey === '') {
    throw new TroveError('config_invalid', 'index.token: is required for a db:// index', {
      suggestions: ['Set `[index].token` in server.toml, best as a reference such as `env:LANCEDB_API_KEY`.'],
    });
  }
  return { uri, apiKey };
}
