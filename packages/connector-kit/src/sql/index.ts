export {
  OneConnection,
  type Driver,
  type Row,
  type Session,
  type SqlConnection,
} from './connection.js';
export type { Dialect, Part, Shown, ShownKey, SqlColumn } from './dialect.js';
export { keyText } from './long-keys.js';
export { nameList, serverSettings } from './settings.js';
export { SqlTables, type SqlRelation } from './tables.js';
