/** A column with the type that `show columns` reports. */
export interface FakeColumn {
  readonly name: string;
  /** `FIXED`, `TEXT`, `TIMESTAMP_NTZ`, … */
  readonly type: string;
  readonly scale?: number;
  readonly nullable?: boolean;
  readonly comment?: string;
}

export type FakeCell = string | null;

export interface FakeTable {
  readonly schema: string;
  readonly name: string;
  columns: readonly FakeColumn[];
  rows: FakeCell[][];
  readonly key: readonly string[];
  readonly comment: string;
  /** The view's text and the name of its table. Null for a table. */
  readonly view: { readonly text: string; readonly of: string } | null;
  createdAt: number;
  alteredAt: number;
  /** Null: as many as its cells have characters. */
  bytes: number | null;
}

export interface NewTable {
  readonly columns: readonly FakeColumn[];
  readonly rows?: readonly (readonly FakeCell[])[];
  readonly key?: readonly string[];
  readonly comment?: string;
}

/** A database of a Snowflake account. */
export class SnowflakeWorld {
  readonly database = 'SHOP';
  readonly account = 'MYORG-ACME';
  readonly user = 'READER';
  readonly tables = new Map<string, FakeTable>();
  readonly schemas = new Set<string>(['PUBLIC']);
  /** The public keys of the user, in PEM. */
  publicKeys: string[] = [];
  readonly accessTokens = new Set<string>();
  /** The number of requests whose token counts as expired. */
  refusedTokens = 0;
  /** Whether the role may use the database. */
  hasRight = true;
  /** Statements that run for this many further requests. */
  slowPolls = 0;
  rowsPerPartition = 1000;
  /** The statements that a warehouse ran. */
  readonly warehouseStatements: string[] = [];
  now = Date.parse('2026-11-01T08:00:00Z');

  addTable(schema: string, name: string, table: NewTable): FakeTable {
    const made: FakeTable = {
      schema,
      name,
      columns: table.columns,
      rows: (table.rows ?? []).map((row) => [...row]),
      key: table.key ?? [],
      comment: table.comment ?? '',
      view: null,
      createdAt: this.now,
      alteredAt: this.now,
      bytes: null,
    };
    this.schemas.add(schema);
    this.tables.set(`${schema}.${name}`, made);
    return made;
  }

  /** Adds a view of all rows of a table with some of its columns. */
  addView(schema: string, name: string, of: string, columns: readonly string[]): FakeTable {
    const base = this.table(of);
    const made: FakeTable = {
      ...this.addTable(schema, name, {
        columns: base.columns.filter((column) => columns.includes(column.name)),
      }),
      view: { text: `create view ${name} as select ${columns.join(', ')} from ${of}`, of },
    };
    this.tables.set(`${schema}.${name}`, made);
    return made;
  }

  table(name: string): FakeTable {
    const table = this.tables.get(name);
    if (table === undefined) throw new Error(`The fake has no table ${name}`);
    return table;
  }

  write(name: string, change: (rows: FakeCell[][]) => void): void {
    this.now += 60_000;
    const table = this.table(name);
    change(table.rows);
    table.alteredAt = this.now;
  }

  remove(name: string): void {
    this.tables.delete(name);
  }

  rowsOf(table: FakeTable): readonly (readonly FakeCell[])[] {
    if (table.view === null) return table.rows;
    const base = this.table(table.view.of);
    const at = table.columns.map(({ name }) =>
      base.columns.findIndex((column) => column.name === name),
    );
    return base.rows.map((row) => at.map((index) => row[index] ?? null));
  }

  bytesOf(table: FakeTable): number {
    return table.bytes ?? JSON.stringify(this.rowsOf(table)).length;
  }
}
