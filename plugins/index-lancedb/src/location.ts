import { mkdir } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConnectionOptions } from '@lancedb/lancedb';
import { TroveError } from '@trove/core';

/** What to connect to: a folder as a path, created if missing; anything else unchanged. */
export async function connectionOptions(
  uri: string,
  token: string | undefined,
): Promise<Partial<ConnectionOptions> & { uri: string }> {
  if (uri.startsWith('file:')) return { uri: await madeFolder(fileURLToPath(uri)) };
  if (isAbsolute(uri)) return { uri: await madeFolder(uri) };
  if (!uri.startsWith('db:')) return { uri };
  const apiKey = token ?? process.env['LANCEDB_API_KEY'];
  if (apiKey === undefined || apiKey === '') {
    throw new TroveError('config_invalid', 'index.token: is required for a db:// index', {
      suggestions: [
        'Set `[index].token` in server.toml, best as a reference such as `env:LANCEDB_API_KEY`.',
      ],
    });
  }
  return { uri, apiKey };
}

/** Texts of private files are in there. */
const FOR_THE_USER_ALONE = 0o700;

async function madeFolder(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true, mode: FOR_THE_USER_ALONE });
    return path;
  } catch (cause) {
    throw new TroveError('storage_unavailable', `The index folder ${path} cannot be made`, {
      cause,
      suggestions: [
        'Check that its parent folder is there and writable, and that the disk is not full.',
      ],
    });
  }
}
