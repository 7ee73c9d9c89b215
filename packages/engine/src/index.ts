export * from './api/schemas.js';
export type * from './api/calls.js';
export * from './api/access.js';
export type * from './options.js';
export { createEngine, openEngine, type Engine, type OpenedEngine } from './create-engine.js';
export type { CompactionResult } from './generations/maintenance/compaction.js';
export type { LoginRequest, OpenedLogin } from './sources/connectors/login-service.js';
export { diskParts, type DiskPart, type DiskUse } from './generations/maintenance/disk-use.js';
export type { Statistics } from './query/status/statistics.js';
export type {
  RunningCounts,
  StoredSource,
  StoreStatistics,
  TypeCounts,
} from './query/status/stored-counts.js';
export type { Operations } from './operations.js';
export { testAlerts, type AlertTest } from './test-alerts.js';
export { checkConfiguredPlugins } from './plugins-in-use.js';
