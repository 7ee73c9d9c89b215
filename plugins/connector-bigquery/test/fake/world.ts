/** A column as BigQuery describes it. */
export interface FakeField {
  readonly name: string;
  readonly type: string;
  readonly mode?: 'NULLABLE' | 'REQUIRED' | 'REPEATED';
  readonly description?: string;
  readonly fields?: readonly FakeField[];
}

/** A cell as BigQuery writes it: a text, null, or nested. */
export type FakeCell = unknown;

export interface FakePartition {
  rows: FakeCell[][];
  modifiedAt: number;
}

export interface FakeTable {
  readonly dataset: string;
  readonly name: string;
  readonly type: 'TABLE' | 'VIEW' | 'EXTERNAL';
  fields: readonly FakeField[];
  /** The rows of an unpartitioned table. */
  rows: FakeCell[][];
  /** Null for a table without partitions. */
  partitions: Map<string, FakePartition> | null;
  readonly key: readonly string[] | null;
  readonly comment: string | null;
  /** The text of a view, and the table whose rows it has. */
  readonly view: { query: string; readonly of: string; readonly columns: readonly string[] } | null;
  /** The bytes of the table, which tests may exaggerate. */
  bytes: number | null;
  createdAt: number;
  modifiedAt: number;
  streamingRows: number;
}

export interface NewTable {
  readonly fields: readonly FakeField[];
  readonly rows?: readonly (readonly FakeCell[])[];
  readonly key?: readonly string[];
  readonly comment?: string;
  readonly partitions?: Readonly<Record<string, readonly (readonly FakeCell[])[]>>;
  readonly type?: 'TABLE' | 'EXTERNAL';
}

/** Bytes of a value, roughly as BigQuery counts them. */
const bytesPerCell = 8;

/** A project of BigQuery. */
export class BigQueryWorld {
  readonly project = 'acme';
  readonly tables = new Map<string, FakeTable>();
  readonly datasets = new Set<string>();
  readonly accessTokens = new Set<string>();
  /** The public key of the service account, in PEM. */
  serviceAccountKey: string | null = null;
  /** Whether the login may read the project. */
  hasRight = true;
  /** Queries that wait for this many further requests. */
  slowPolls = 0;
  rowsPerPage = 1000;
  now = Date.parse('2026-11-01T08:00:00Z');
  #tokens = 0;

  addDataset(name: string): void {
    this.datasets.add(name);
  }

  addTable(dataset: string, name: string, table: NewTable): FakeTable {
    const { partitions } = table;
    const made: FakeTable = {
      dataset,
      name,
      type: table.type ?? 'TABLE',
      fields: table.fields,
      rows: (table.rows ?? []).map((row) => [...row]),
      partitions:
        partitions === undefined
          ? null
          : new Map(
              Object.entries(partitions).map(([id, rows]) => [
                id,
                { rows: rows.map((row) => [...row]), modifiedAt: this.now },
              ]),
            ),
      key: table.key ?? null,
      comment: table.comment ?? null,
      view: null,
      bytes: null,
      createdAt: this.now,
      modifiedAt: this.now,
      streamingRows: 0,
    };
    this.datasets.add(dataset);
    this.tables.set(`${dataset}.${name}`, made);
    return made;
  }

  /** Adds a view that shows columns of a table. */
  addView(dataset: string, name: string, of: string, columns: readonly string[]): FakeTable {
    const base = this.table(of);
    const made: FakeTable = {
      ...this.addTable(dataset, name, { fields: [] }),
      type: 'VIEW',
      fields: base.fields
        .filter((field) => columns.includes(field.name))
        .map(({ mode: _, ...field }) => field),
      view: { query: `select ${columns.join(', ')} from ${of}`, of, columns },
    };
    this.tables.set(`${dataset}.${name}`, made);
    return made;
  }

  table(name: string): FakeTable {
    const table = this.tables.get(name);
    if (table === undefined) throw new Error(`The fake has no table ${name}`);
    return table;
  }

  /** Changes the rows of a table or of one partition. */
  write(name: string, change: (rows: FakeCell[][]) => void, partition?: string): void {
    this.now += 60_000;
    const table = this.table(name);
    const part = partition === undefined ? table : table.partitions?.get(partition);
    if (part === undefined) throw new Error(`The fake has no partition ${partition}`);
    change(part.rows);
    part.modifiedAt = this.now;
    table.modifiedAt = this.now;
  }

  remove(name: string): void {
    this.tables.delete(name);
  }

  /** Returns the rows of a table, view or partition. */
  rowsOf(table: FakeTable, partition?: string): readonly (readonly FakeCell[])[] {
    if (table.view !== null) {
      const base = this.table(table.view.of);
      const at = table.view.columns.map((name) =>
        base.fields.findIndex((field) => field.name === name),
      );
      return this.rowsOf(base).map((row) => at.map((index) => row[index] ?? null));
    }
    if (table.partitions === null) return table.rows;
    if (partition !== undefined) return table.partitions.get(partition)?.rows ?? [];
    return [...table.partitions.values()].flatMap(({ rows }) => rows);
  }

  bytesOf(table: FakeTable, partition?: string): number {
    if (table.bytes !== null) return table.bytes;
    const rows = this.rowsOf(table, partition);
    return rows.length * table.fields.length * bytesPerCell;
  }

  issueAccess(): string {
    const token = `access-${++this.#tokens}`;
    this.accessTokens.add(token);
    return token;
  }
}
