export * from '@trove/engine';
export * from '@trove/graph';
export {
  acceptParsed,
  acceptRequest,
  freeMemory,
  Gate,
  readSecret,
  recogniseAddress,
  validateOnce,
  redactUrl,
  type BackendOptions,
  type ConfiguredPlugin,
  type IndexOptions,
  type ListedPlugin,
  type ListedSourceKind,
  type PluginConfigs,
  type PluginPackages,
  type RecognisedSource,
} from '@trove/runtime';
export {
  isTroveError,
  TroveError,
  type ErrorCode,
  type Logger,
  type LogFields,
  type Plugin,
} from '@trove/core';
export {
  checkPlugins,
  sendTestAlerts,
  createTrove,
  installedPlugins,
  installedSourceKinds,
  openTrove,
  type Trove,
  type TroveOperations,
  type TroveOptions,
} from './create-trove.js';
export type { Backups } from './backup/backups.js';
export {
  restoreBackup,
  withBackup,
  type RestoreOptions,
  type RestoreResult,
} from './backup/restore.js';
export { replacedBuiltins, type ReplacedBuiltin } from './engine-options.js';
export { defaultHome, prepareHome } from './home.js';
export { resolveSettings, type ResolvedSettings, type ResolveOptions } from './settings/resolve.js';
export { settingsSchema, type Settings, type SettingsInput } from './settings/schema.js';
export { settingKeys, type SettingKey } from './settings/keys.js';
export type { OriginOf } from './settings/check.js';
export { nativeSettings } from '@trove/index-lancedb/native-settings';
