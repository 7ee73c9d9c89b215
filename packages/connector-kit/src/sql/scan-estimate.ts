import { bytesText } from './byte-budget.js';
import type { ScannedTable } from './scan-connector.js';

/** Describes for people what a first sync would read. `source` begins the text: `A Snowflake source`. */
export function scanEstimate(source: string, tables: readonly ScannedTable[]): string {
  const refused = tables.filter(({ skip }) => skip !== null);
  const read = tables.filter(({ skip, holds }) => skip === null && holds !== 'schema');
  const whole = tables.filter(({ holds }) => holds !== 'records');
  const [first] = refused;
  const leftOut =
    first === undefined
      ? ''
      : ` Left out: ${refused.length}, for example ${first.names.join('.')}: ${first.skip}.`;
  return `${source} with ${whole.length} tables and views. A first sync reads ${totalText(read)}.${leftOut}`;
}

/** Returns the bytes of a scan of each table, for people. */
export function totalText(tables: readonly ScannedTable[]): string {
  return bytesText(tables.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0));
}
