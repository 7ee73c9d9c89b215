import { maxHexBytes } from '@trove/connector-kit';
import { valueParsers } from '@trove/connector-kit/sql';

import type { BigQueryCell, TableField } from './answers.js';

/** Returns the JSON value of a cell. */
export function valueOf(field: TableField, { v }: BigQueryCell): unknown {
  if (v === null || v === undefined) return null;
  if (field.mode === 'REPEATED') {
    const items: readonly BigQueryCell[] = Array.isArray(v) ? v : [];
    return items.map((item) => singleValueOf(field, item.v));
  }
  return singleValueOf(field, v);
}

function singleValueOf(field: TableField, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  switch (field.type) {
    case 'RECORD':
    case 'STRUCT': {
      const { f: cells = [] }: { readonly f?: readonly BigQueryCell[] } = Object(value);
      return Object.fromEntries(
        (field.fields ?? []).map((member, at) => [member.name, valueOf(member, cells[at] ?? {})]),
      );
    }
    default:
      return typeof value === 'string' ? scalarOf(field.type, value) : value;
  }
}

function scalarOf(type: string, text: string): unknown {
  switch (type) {
    case 'INTEGER':
    case 'INT64':
      return valueParsers.integer(text);
    case 'FLOAT':
    case 'FLOAT64':
      // `NaN` and `Infinity` are no JSON values.
      return Number.isFinite(Number(text)) ? Number(text) : text;
    case 'BOOLEAN':
    case 'BOOL':
      return text === 'true';
    case 'TIMESTAMP':
      return timestampOf(text);
    case 'BYTES':
      return bytesOf(Buffer.from(text, 'base64'));
    case 'JSON':
      return valueParsers.json(text);
    default:
      return text;
  }
}

/** Parses microseconds, or seconds in scientific notation, which some answers have in spite of the requested format. */
function timestampOf(text: string): string {
  const isWhole = /^-?\d+$/.test(text);
  if (!isWhole && !Number.isFinite(Number(text))) return text;
  const micros = isWhole ? BigInt(text) : BigInt(Math.round(Number(text) * 1e6));
  const perMs = 1000n;
  const rest = ((micros % perMs) + perMs) % perMs;
  const ms = Number((micros - rest) / perMs);
  if (Math.abs(ms) > 8.64e15) return text;
  const iso = new Date(ms).toISOString();
  return rest === 0n ? iso : iso.replace('Z', `${String(rest).padStart(3, '0')}Z`);
}

function bytesOf(bytes: Buffer): string {
  return bytes.length <= maxHexBytes
    ? String.raw`\x${bytes.toString('hex')}`
    : `${bytes.length} bytes`;
}
