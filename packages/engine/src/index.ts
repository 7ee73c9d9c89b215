export * from './api/schemas.js';
export type * from './api/calls.js';
export type * from './options.js';
export { createEngine, openEngine, type Engine, type OpenedEngine } from './create-engine.js';
export type { Compacted } from './upkeep/compaction.js';
export { diskParts, type DiskPart, type DiskUse } from './upkeep/disk-use.js';
export type { RunningCounts, Statistics, Stored, TypeCounts } from './upkeep/statistics.js';
export type { Operations } from './operations.js';
export { checkConfiguredPlugins } from './plugins-in-use.js';
