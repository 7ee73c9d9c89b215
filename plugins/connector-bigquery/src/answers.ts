/** The members of BigQuery's answers that the connector uses. Numbers are texts of digits. */
export interface TokenPage {
  readonly nextPageToken?: string;
  readonly pageToken?: string;
  readonly jobComplete?: boolean;
  readonly jobReference?: { readonly jobId?: string; readonly location?: string };
}

export interface ListedDataset {
  readonly datasetReference: { readonly datasetId: string };
}

export interface TableReference {
  readonly projectId: string;
  readonly datasetId: string;
  readonly tableId: string;
}

/** `TABLE`, `VIEW`, `MATERIALIZED_VIEW`, `EXTERNAL` or `SNAPSHOT`. */
type TableType = string;

export interface ListedBigQueryTable {
  readonly tableReference: TableReference;
  readonly type?: TableType;
}

export interface TableInfo {
  readonly type?: TableType;
  readonly description?: string;
  readonly schema?: { readonly fields?: readonly TableField[] };
  readonly numRows?: string;
  readonly numBytes?: string;
  readonly creationTime?: string;
  readonly lastModifiedTime?: string;
  /** Rows that were written a short while ago. They do not change the time of the table. */
  readonly streamingBuffer?: { readonly estimatedRows?: string; readonly oldestEntryTime?: string };
  readonly timePartitioning?: object;
  readonly rangePartitioning?: object;
  readonly clustering?: { readonly fields?: readonly string[] };
  readonly view?: { readonly query?: string };
  readonly materializedView?: { readonly query?: string };
  readonly tableConstraints?: {
    readonly primaryKey?: { readonly columns?: readonly string[] };
    readonly foreignKeys?: readonly ForeignKey[];
  };
}

interface ForeignKey {
  readonly referencedTable?: TableReference;
  readonly columnReferences?: readonly {
    readonly referencingColumn?: string;
    readonly referencedColumn?: string;
  }[];
}

export interface TableField {
  readonly name: string;
  readonly type: string;
  /** `REQUIRED`, `REPEATED` or `NULLABLE`. */
  readonly mode?: string;
  readonly description?: string;
  readonly defaultValueExpression?: string;
  /** The members of a record. */
  readonly fields?: readonly TableField[];
}

export interface BigQueryCell {
  readonly v?: unknown;
}

export interface RowPage {
  readonly schema?: { readonly fields?: readonly TableField[] };
  readonly rows?: readonly { readonly f?: readonly BigQueryCell[] }[];
}

export interface JobAnswer {
  readonly statistics?: {
    readonly totalBytesProcessed?: string;
    readonly query?: { readonly referencedTables?: readonly TableReference[] };
  };
}

/** What a query would cost, and the tables that it reads. Null: unknown. */
export interface DryRun {
  readonly bytes: number;
  readonly tables: readonly TableReference[] | null;
}

/** A named parameter of a query. */
export interface QueryParameter {
  readonly name: string;
  readonly parameterType: { readonly type: string; readonly arrayType?: { readonly type: string } };
  readonly parameterValue: {
    readonly value?: string;
    readonly arrayValues?: readonly { readonly value: string }[];
  };
}
