import { catalogResult } from './catalog.js';
import { text, unquoted, type Result } from './result.js';
import type { FakeCell, FakeTable, SnowflakeWorld } from './world.js';

/** A statement that cannot run. */
export interface Refusal {
  readonly refusal: string;
  readonly code: string;
  readonly sqlState: string;
}

interface StatementBody {
  readonly statement?: string;
  readonly database?: string;
  readonly bindings?: Readonly<Record<string, { readonly type: string; readonly value: string }>>;
}

/** Runs the statements that the connector sends: `show`, `explain`, and selections from one table. */
export function runStatement(world: SnowflakeWorld, body: StatementBody): Result | Refusal {
  const { statement = '' } = body;
  if (!world.hasRight) return missing(`Database '${world.database}'`);
  if (statement === 'select current_version()')
    return { columns: [text('CURRENT_VERSION()')], rows: [['9.30.0']], usesWarehouse: false };
  if (statement.startsWith('show ')) {
    const shown = catalogResult(world, statement);
    return shown ?? missing(`Object '${statement}'`);
  }
  if (statement.includes('information_schema.tables')) return alteredResult(world, statement);
  const [, explained, schema, name, rest = ''] =
    /^(explain using json )?select \* from "SHOP"\."((?:[^"]|"")+)"\."((?:[^"]|"")+)"(.*)$/s.exec(
      statement,
    ) ?? [];
  const table = world.tables.get(`${unquoted(schema)}.${unquoted(name)}`);
  if (table === undefined)
    return schema === undefined
      ? { refusal: `SQL compilation error: ${statement}`, code: '001003', sqlState: '42000' }
      : missing(`Object '${world.database}.${schema}.${name}'`);
  const base = table.view === null ? table : world.tables.get(table.view.of);
  if (base === undefined) return missing(`Object '${table.view?.of}'`);
  if (explained !== undefined) return explainResult(world, base);
  world.warehouseStatements.push(statement);
  return { columns: table.columns, rows: select(world, table, rest, body), usesWarehouse: true };
}

function missing(what: string): Refusal {
  const refusal = `SQL compilation error:\n${what} does not exist or not authorized.`;
  return { refusal, code: '002003', sqlState: '02000' };
}

function explainResult(world: SnowflakeWorld, base: FakeTable): Result {
  const bytesAssigned = world.bytesOf(base);
  const scan = {
    id: 1,
    operation: 'TableScan',
    objects: [`${world.database}.${base.schema}.${base.name}`],
    partitionsTotal: 1,
    partitionsAssigned: 1,
    bytesAssigned,
  };
  const plan = {
    GlobalStats: { partitionsTotal: 1, partitionsAssigned: 1, bytesAssigned },
    Operations: [[{ id: 0, operation: 'Result' }, scan]],
  };
  return { columns: [text('content')], rows: [[JSON.stringify(plan)]], usesWarehouse: false };
}

function alteredResult(world: SnowflakeWorld, statement: string): Result {
  world.warehouseStatements.push(statement);
  const rows = [...world.tables.values()].map(({ schema, name, alteredAt }) => [
    schema,
    name,
    (alteredAt / 1000).toFixed(9),
  ]);
  const columns = ['TABLE_SCHEMA', 'TABLE_NAME', 'LAST_ALTERED'].map(text);
  return { columns, rows, usesWarehouse: true };
}

/** Evaluates equality, an order and a range. */
function select(
  world: SnowflakeWorld,
  table: FakeTable,
  sql: string,
  { bindings = {} }: StatementBody,
): readonly (readonly FakeCell[])[] {
  const indexOf = (name: string | undefined): number =>
    table.columns.findIndex((column) => column.name === unquoted(name));
  const conditions = [...sql.matchAll(/to_varchar\("((?:[^"]|"")+)"\) = \?/g)];
  const found = world
    .rowsOf(table)
    .filter((row) =>
      conditions.every(([, name], at) => row[indexOf(name)] === bindings[String(at + 1)]?.value),
    );
  const [, limit] = /limit (\d+)/.exec(sql) ?? [];
  const [, offset = '0'] = /offset (\d+)/.exec(sql) ?? [];
  const end = limit === undefined ? found.length : Number(offset) + Number(limit);
  return found.slice(Number(offset), end);
}
