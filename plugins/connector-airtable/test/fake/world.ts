/** The value of a cell as the service shows it. */
export type Cell = unknown;

export interface Field {
  readonly id: string;
  name: string;
  readonly type: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface Table {
  readonly id: string;
  readonly base: string;
  name: string;
  readonly fields: readonly Field[];
}

export interface Base {
  readonly id: string;
  readonly name: string;
}

export interface Row {
  readonly id: string;
  readonly table: string;
  readonly createdAt: number;
  /** When a cell was edited last. Null for a record that was created without values. */
  modifiedAt: number | null;
  /** By the names of fields. */
  cells: Readonly<Record<string, Cell>>;
}

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

export interface Comment {
  readonly id: string;
  readonly row: string;
  text: string;
  readonly author: Person;
  readonly createdAt: number;
  editedAt: number | null;
  readonly parent: string | null;
  readonly mentioned: readonly Person[];
}

/** A type of field, or a link to the records of a table. */
export type FieldSpec = string | Omit<Field, 'id' | 'name'>;

/** The bases that a token may read. */
export class AirtableWorld {
  readonly tokens = new Set(['pat-1']);
  readonly scopes = new Set(['data.records:read', 'schema.bases:read', 'data.recordComments:read']);
  readonly bases = new Map<string, Base>();
  readonly tables = new Map<string, Table>();
  readonly rows = new Map<string, Row>();
  readonly comments = new Map<string, Comment>();
  /** The records that are left in a listing, by the id of its iterator. */
  readonly iterators = new Map<string, readonly string[]>();
  /** Whether the plan of the workspace allows further requests in this month. */
  isUsedUp = false;
  readonly ann: Person = { id: 'usr00000000000001', email: 'ann@acme.example', name: 'Ann' };
  readonly ben: Person = { id: 'usr00000000000002', email: 'ben@acme.example', name: 'Ben' };
  /** The clock of the service, in milliseconds since 1970. */
  now = Date.parse('2026-03-02T10:00:00Z');
  #ids = 0;

  createBase(name: string): Base {
    const base = { id: this.id('app'), name };
    this.bases.set(base.id, base);
    return base;
  }

  /** Creates a table. Its first field is the primary one. */
  createTable(base: Base, name: string, specs: Readonly<Record<string, FieldSpec>>): Table {
    const fields = Object.entries(specs).map(([field, spec]) => ({
      id: this.id('fld'),
      name: field,
      ...(typeof spec === 'string' ? { type: spec } : spec),
    }));
    const table = { id: this.id('tbl'), base: base.id, name, fields };
    this.tables.set(table.id, table);
    return table;
  }

  createRow(table: Table, cells: Readonly<Record<string, Cell>> = {}): Row {
    const isEmpty = Object.keys(cells).length === 0;
    const row: Row = {
      id: this.id('rec'),
      table: table.id,
      createdAt: this.now,
      modifiedAt: isEmpty ? null : this.now,
      cells,
    };
    this.rows.set(row.id, row);
    return row;
  }

  editRow(row: Row, cells: Readonly<Record<string, Cell>>): void {
    row.cells = { ...row.cells, ...cells };
    row.modifiedAt = this.now;
  }

  /** Deletes a record with its comments. Nothing reports this. */
  deleteRow({ id }: Row): void {
    this.rows.delete(id);
    for (const comment of this.commentsOf(id)) this.comments.delete(comment.id);
  }

  /** Adds a comment, which does not change its record. */
  comment(
    row: Row,
    text: string,
    own: Partial<Pick<Comment, 'author' | 'parent' | 'mentioned'>> = {},
  ): Comment {
    const comment: Comment = {
      id: this.id('com'),
      row: row.id,
      text,
      author: this.ann,
      createdAt: this.now,
      editedAt: null,
      parent: null,
      mentioned: [],
      ...own,
    };
    this.comments.set(comment.id, comment);
    return comment;
  }

  editComment(comment: Comment, text: string): void {
    comment.text = text;
    comment.editedAt = this.now;
  }

  /** Returns the records of a table in the order of their creation. */
  rowsOf(table: string): readonly Row[] {
    return [...this.rows.values()].filter((row) => row.table === table);
  }

  commentsOf(row: string): readonly Comment[] {
    return [...this.comments.values()].filter((comment) => comment.row === row);
  }

  id(prefix: string): string {
    return `${prefix}${String(++this.#ids).padStart(14, '0')}`;
  }
}

/** A field with links to the records of a table. */
export function linksTo({ id }: Table): FieldSpec {
  return { type: 'multipleRecordLinks', options: { linkedTableId: id, isReversed: false } };
}
