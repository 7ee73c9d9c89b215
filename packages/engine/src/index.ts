export * from './api/schemas.js';
export type * from './api/calls.js';
export type * from './options.js';
export { createEngine, openEngine, type Engine, type OpenedEngine } from './create-engine.js';
export type { Compacted } from './generations/maintenance/compaction.js';
export { diskParts, type DiskPart, type DiskUse } from './generations/maintenance/disk-use.js';
export type { RunningCounts, Statistics, Stored, TypeCounts } from './query/status/statistics.js';
export type { Operations } from './operations.js';
export { checkConfiguredPlugins } from './plugins-in-use.js';
