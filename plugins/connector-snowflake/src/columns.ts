import { valueParsers } from '@trove/connector-kit/sql';

import type { SnowflakeCell } from './api.js';

/** A column as `show columns` describes it. */
export interface SnowflakeColumn {
  readonly name: string;
  /** In upper case: `FIXED`, `TEXT`, `TIMESTAMP_NTZ`. */
  readonly type: string;
  readonly precision: number | null;
  readonly scale: number | null;
  readonly length: number | null;
  readonly nullable: boolean;
  readonly default: string | null;
  readonly comment: string | null;
}

/** Reads a row of `show columns`, whose type is JSON. */
export function columnOf(row: Readonly<Record<string, SnowflakeCell>>): SnowflakeColumn {
  const declared: {
    readonly type?: string;
    readonly precision?: number;
    readonly scale?: number;
    readonly length?: number;
    readonly nullable?: boolean;
  } = Object(valueParsers.json(row['data_type'] ?? '{}'));
  const { default: value, comment } = row;
  return {
    name: row['column_name'] ?? '',
    type: declared.type ?? 'TEXT',
    precision: declared.precision ?? null,
    scale: declared.scale ?? null,
    length: declared.length ?? null,
    nullable: declared.nullable !== false,
    default: value === '' ? null : (value ?? null),
    comment: comment === '' ? null : (comment ?? null),
  };
}

/** Returns the type as people declare it: `NUMBER(38,0)`. */
export function typeNameOf({ type, precision, scale, length }: SnowflakeColumn): string {
  switch (type) {
    case 'FIXED':
      return `NUMBER(${precision ?? 38},${scale ?? 0})`;
    case 'TEXT':
      return length === null ? 'VARCHAR' : `VARCHAR(${length})`;
    case 'REAL':
      return 'FLOAT';
    default:
      return type;
  }
}
