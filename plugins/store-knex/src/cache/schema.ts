import type { Migration } from '../database/migrate.js';

/** Values have a table of their own, so recording a use does not rewrite the value. */
const first: Migration = ({ serial, text, bytes }) => [
  `create table trove_cache (
    id ${serial},
    key ${text} not null unique,
    size bigint not null,
    used_at bigint not null
  )`,
  'create index trove_cache_used on trove_cache (used_at, id, size)',
  `create table trove_cache_values (
    id bigint primary key references trove_cache (id) on delete cascade,
    value ${bytes} not null
  )`,
];

export const migrations: readonly Migration[] = [first];
