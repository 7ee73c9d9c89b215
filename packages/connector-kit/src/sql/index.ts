export type { BoundParameters } from './bound-parameters.js';
export {
  describeTable,
  groupByTable,
  isIncluded,
  findKey,
  checkTableNames,
  type CatalogColumn,
  type TableFilter,
  type TableMetadata,
  type TableName,
} from './catalog.js';
export type { ChangeTracking } from './changed-rows.js';
export { createSqlConnector, type SqlSource } from './connector.js';
export type {
  SqlDialect,
  PageQuery,
  ValueExpression,
  KeyExpression,
  SqlColumn,
} from './dialect.js';
export type { Driver, LimitedClient, SqlRow, SqlSession } from './driver.js';
export type { ReceiveLimit } from './receive-limit.js';
export { keyTextOf } from './long-keys.js';
export { valueParsers } from './value-parsers.js';
export { tableSettings } from './settings.js';
export { ByteBudget } from './byte-budget.js';
export {
  createScanConnector,
  type ScannedTable,
  type ScanSource,
  type TableScan,
} from './scan-connector.js';
export { scanEstimate, totalText } from './scan-estimate.js';
export { scanSettings } from './scan-settings.js';
export type { SqlTable } from './tables.js';
