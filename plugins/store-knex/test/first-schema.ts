import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { migrations as cacheMigrations } from '../src/cache/schema.js';
import { postgresDialect, sqliteDialect } from '../src/database/dialect.js';
import { migrations as metadataMigrations } from '../src/metadata/schema.js';

type BackendName = 'sqlite' | 'postgres';

const dialects = { sqlite: sqliteDialect, postgres: postgresDialect };
const end = ';\n';

/** Returns the first schema of the current code and the file with the schema as released. */
export function firstSchema(backend: BackendName) {
  const [metadata] = metadataMigrations;
  const [cache] = cacheMigrations;
  const dialect = dialects[backend];
  return {
    file: fileURLToPath(new URL(`fixtures/first-schema.${backend}.sql`, import.meta.url)),
    statements: [metadata, cache].flatMap((migration) => [...(migration?.(dialect) ?? [])]),
  };
}

/** Returns the statements of the released first schema. */
export function releasedStatements(backend: BackendName): string[] {
  const text = readFileSync(firstSchema(backend).file, 'utf8');
  return text
    .split(end)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
