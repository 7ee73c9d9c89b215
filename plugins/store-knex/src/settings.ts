import { TroveError, type Infer, type Logger } from '@trove/core';

import { openPostgres } from './database/postgres.js';
import { openSqlite } from './database/sqlite.js';
import type { Database } from './database/types.js';

export const backends = ['sqlite', 'postgres'] as const;

export const configSchema = {
  type: 'object',
  properties: {
    path: {
      type: 'string',
      description: 'Backend `sqlite`: absolute path of the database file; created if missing.',
    },
    dsn: {
      type: 'string',
      writeOnly: true,
      description:
        'Backend `postgres`: connection string, `postgres://user:password@host:5432/name`.',
    },
  },
  additionalProperties: false,
} as const;

/** Opens the configured database of a backend. */
export function openDatabase(
  backend: string,
  config: Infer<typeof configSchema>,
  logger: Logger,
): Promise<Database> {
  if (backend === 'sqlite') return openSqlite(pathOf(config), logger);
  if (backend === 'postgres') return openPostgres(required(config.dsn, 'dsn', backend), logger);
  throw new TroveError('config_invalid', `There is no backend "${backend}".`, {
    suggestions: [`Set \`backend\` to one of: ${backends.join(', ')}.`],
  });
}

/** Returns the path of a SQLite database. Throws `config_invalid` without one. */
export function pathOf({ path }: Infer<typeof configSchema>): string {
  return required(path, 'path', 'sqlite');
}

function required(value: string | undefined, key: string, backend: string): string {
  if (value !== undefined && value !== '') return value;
  throw new TroveError('config_invalid', `The backend ${backend} needs \`${key}\`.`, {
    suggestions: [`Set \`${key}\` beside \`backend\` in server.toml.`],
  });
}
