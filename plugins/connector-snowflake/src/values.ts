import { maxHexBytes } from '@trove/connector-kit';
import { valueParsers } from '@trove/connector-kit/sql';

import type { SnowflakeCell, ResultColumn } from './api.js';

const dayMs = 86_400_000;
const maxMs = 8.64e15;

/** Returns the JSON value of a cell. */
export function valueOf({ type, scale }: ResultColumn, cell: SnowflakeCell): unknown {
  if (cell === null) return null;
  switch (type) {
    case 'fixed':
      return (scale ?? 0) === 0 ? valueParsers.integer(cell) : cell;
    case 'real':
      // `NaN` and `inf` are no JSON values.
      return Number.isFinite(Number(cell)) ? Number(cell) : cell;
    case 'boolean':
      return cell === 'true' || cell === '1';
    case 'date':
      return isoOf(Number(cell) * dayMs, '')?.slice(0, 10) ?? cell;
    case 'time':
      return timeOf(cell)?.slice(11, -1) ?? cell;
    case 'timestamp_ntz':
      // It has no time zone.
      return timeOf(cell)?.slice(0, -1) ?? cell;
    case 'timestamp_ltz':
    case 'timestamp_tz':
      return timeOf(cell) ?? cell;
    case 'variant':
    case 'object':
    case 'array':
    case 'vector':
      return valueParsers.json(cell);
    case 'binary':
      return cell.length <= 2 * maxHexBytes
        ? String.raw`\x${cell.toLowerCase()}`
        : `${cell.length / 2} bytes`;
    default:
      return cell;
  }
}

/** Parses seconds with up to 9 decimals. `timestamp_tz` has an offset after them, which does not change the time. */
function timeOf(cell: string): string | null {
  const [, sign = '', seconds = '', decimals = ''] =
    /^(-?)(\d+)(?:\.(\d{1,9}))?(?: \d+)?$/.exec(cell) ?? [];
  if (seconds === '') return null;
  const digits = decimals.padEnd(9, '0');
  const nanos = (sign === '' ? 1n : -1n) * BigInt(seconds + digits);
  const perSecond = 1_000_000_000n;
  const rest = ((nanos % perSecond) + perSecond) % perSecond;
  const fraction = String(rest).padStart(9, '0').replace(/0+$/, '');
  return isoOf(Number((nanos - rest) / perSecond) * 1000, fraction);
}

/** Returns a time with the decimals of its seconds, or null outside the range of dates. */
function isoOf(ms: number, fraction: string): string | null {
  if (!(Math.abs(ms) <= maxMs)) return null;
  const [seconds = ''] = new Date(ms).toISOString().split('.');
  return `${seconds}${fraction === '' ? '' : `.${fraction}`}Z`;
}
