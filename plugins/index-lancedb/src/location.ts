import { mkdir } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Connection, ConnectionOptions } from '@lancedb/lancedb';
import { TroveError } from '@trove/core';
import type { LanceModule } from './lance.js';
import { s3Options, type LanceConfig } from './object-store.js';

/** Plain data. */
export type DatabaseOptions = Partial<ConnectionOptions> & { readonly uri: string };

/** Returns the target of the connection. A folder becomes a path and is created if missing. */
export async function connectionOptions(
  uri: string,
  config: LanceConfig,
): Promise<DatabaseOptions> {
  if (uri.startsWith('file:')) return { uri: await madeFolder(fileURLToPath(uri)) };
  if (isAbsolute(uri)) return { uri: await madeFolder(uri) };
  if (uri.startsWith('s3:')) return { uri, storageOptions: s3Options(config) };
  if (!uri.startsWith('db:')) return { uri };
  const apiKey = config.token ?? process.env['LANCEDB_API_KEY'];
  if (apiKey === undefined || apiKey === '') {
    throw new TroveError('config_invalid', 'index.token: is required for a db:// index', {
      suggestions: [
        'Set `[index].token` in server.toml, preferably as a reference such as `env:LANCEDB_API_KEY`.',
      ],
    });
  }
  return { uri, apiKey };
}

/** In bytes. */
export interface CacheSizes {
  readonly indices: number;
  /** For file metadata. */
  readonly metadata: number;
}

/** Opens a database with its own caches. */
export function connect(
  lance: LanceModule,
  options: DatabaseOptions,
  { indices, metadata }: CacheSizes,
): Promise<Connection> {
  return lance.connect({
    ...options,
    // Every read sees commits of other processes. Locally that costs almost nothing.
    readConsistencyInterval: 0,
    session: new lance.Session(BigInt(indices), BigInt(metadata)),
  });
}

/** The index contains texts of private files. */
const forTheUserAlone = 0o700;

async function madeFolder(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true, mode: forTheUserAlone });
    return path;
  } catch (cause) {
    throw new TroveError('storage_unavailable', `The index folder ${path} cannot be created`, {
      cause,
      suggestions: [
        'Check that its parent folder exists and is writable, and that the disk is not full.',
      ],
    });
  }
}
