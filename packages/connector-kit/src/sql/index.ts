export type { Bound } from './bound.js';
export type { RowClock } from './changed-rows.js';
export {
  OneConnection,
  type Driver,
  type Row,
  type Session,
  type SqlConnection,
} from './connection.js';
export type { Dialect, Part, Shown, ShownKey, SqlColumn } from './dialect.js';
export { Inflow } from './inflow.js';
export { keyText } from './long-keys.js';
export { tableSettings } from './settings.js';
export { SqlTables, type SqlRelation } from './tables.js';
