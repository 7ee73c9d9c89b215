export type { Bound } from './bound.js';
export {
  describeTable,
  grouped,
  isChosen,
  keyAmong,
  missingTables,
  type CatalogColumn,
  type TableChoice,
  type TableFacts,
  type TableName,
} from './catalog.js';
export type { RowClock } from './changed-rows.js';
export { sqlConnector, type SqlSource } from './connector.js';
export type { Dialect, Part, Shown, ShownKey, SqlColumn } from './dialect.js';
export type { Driver, LimitedClient, Row, Session } from './driver.js';
export type { Inflow } from './inflow.js';
export { keyText } from './long-keys.js';
export { readers } from './readers.js';
export { tableSettings } from './settings.js';
export type { SqlRelation } from './tables.js';
