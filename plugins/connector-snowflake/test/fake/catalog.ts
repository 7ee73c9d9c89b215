import { text, unquoted, type Result } from './result.js';
import type { FakeCell, FakeColumn, FakeTable, SnowflakeWorld } from './world.js';

/** A row of `show`, by the names of its columns. */
type ShownRow = Readonly<Record<string, FakeCell>>;

const maxShownRows = 10_000;

/** Answers `show`. Null if its database, schema or table does not exist. */
export function catalogResult(world: SnowflakeWorld, statement: string): Result | null {
  const [, kind = '', of = '', names = ''] =
    /^show (schemas|tables|views|columns|primary keys) in (database|schema|table) (.+)$/.exec(
      statement,
    ) ?? [];
  const [database, schema, name] = [...names.matchAll(/"((?:[^"]|"")*)"/g)].map(([, quoted]) =>
    unquoted(quoted),
  );
  if (database !== world.database || (schema !== undefined && !world.schemas.has(schema)))
    return null;
  const tables = [...world.tables.values()].filter(
    (table) =>
      (schema === undefined || table.schema === schema) && (of !== 'table' || table.name === name),
  );
  const rows = rowsOf(world, kind, tables).slice(0, maxShownRows);
  return { ...tableOf(rows), usesWarehouse: false };
}

function rowsOf(
  world: SnowflakeWorld,
  kind: string,
  tables: readonly FakeTable[],
): readonly ShownRow[] {
  switch (kind) {
    case 'schemas':
      return [...world.schemas, 'INFORMATION_SCHEMA'].map((name) => ({ name }));
    case 'tables':
      return tables
        .filter(({ view }) => view === null)
        .map((table) => ({
          ...shared(table),
          kind: 'TABLE',
          rows: String(table.rows.length),
          bytes: String(world.bytesOf(table)),
        }));
    case 'views':
      return tables.flatMap((table) =>
        table.view === null ? [] : [{ ...shared(table), text: table.view.text }],
      );
    case 'columns':
      return tables.flatMap((table) =>
        table.columns.map((column) => ({
          table_name: table.name,
          schema_name: table.schema,
          column_name: column.name,
          data_type: JSON.stringify(typeOf(column)),
          'null?': String(column.nullable !== false),
          default: '',
          kind: 'COLUMN',
          comment: column.comment ?? '',
        })),
      );
    default:
      return tables.flatMap((table) =>
        table.key.map((column_name, at) => ({
          schema_name: table.schema,
          table_name: table.name,
          column_name,
          key_sequence: String(at + 1),
        })),
      );
  }
}

function shared({ schema, name, comment, createdAt }: FakeTable): ShownRow {
  return {
    created_on: `${(createdAt / 1000).toFixed(9)} 1440`,
    name,
    database_name: 'SHOP',
    schema_name: schema,
    comment,
  };
}

function typeOf({ type, scale = 0, nullable = true }: FakeColumn): object {
  if (type === 'FIXED') return { type, precision: 38, scale, nullable };
  return type === 'TEXT' ? { type, length: 40, byteLength: 160, nullable } : { type, nullable };
}

/** An empty result has columns, too. */
function tableOf(rows: readonly ShownRow[]): Pick<Result, 'columns' | 'rows'> {
  const names = Object.keys(rows[0] ?? { name: null });
  return {
    columns: names.map(text),
    rows: rows.map((row) => names.map((name) => row[name] ?? null)),
  };
}
