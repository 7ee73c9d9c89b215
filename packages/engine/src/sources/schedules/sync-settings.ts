import { TroveError } from '@trove/core';
import type { ConnectorRecord } from '@trove/core/store';
import { digest } from '../ids.js';
import { parseSchedule, type Schedule } from './schedule.js';

export type SourceConfig = Readonly<Record<string, unknown>>;

/** The keys of any source's configuration that decide when it is synced. No plugin may use them. */
const syncKeys = ['every', 'cron', 'hours', 'watch', 'paused'] as const;

/** Whether changes in a source cause a sync. */
export function isWatched({ config, status }: ConnectorRecord): boolean {
  return status !== 'removing' && config?.['watch'] === true && !isPaused(config);
}

/** Whether a source is synced only on request. */
export function isPaused(config: SourceConfig | null): boolean {
  return config?.['paused'] === true;
}

/** Whether a configuration has a schedule, valid or not. */
export function hasSchedule(config: SourceConfig | null): boolean {
  return config?.['every'] !== undefined || config?.['cron'] !== undefined;
}

/** The schedule of a source; null without one, and while the source is paused. Throws `config_invalid`. */
export function scheduleOf({
  config,
  status,
}: Pick<ConnectorRecord, 'config' | 'status'>): Schedule | null {
  if (status === 'removing' || config === null || isPaused(config)) return null;
  return parseSchedule(config);
}

/** Splits a configuration into the settings of syncs and the plugin's part. Throws `config_invalid`. */
export function splitSyncSettings(config: SourceConfig | null): {
  readonly settings: SourceConfig;
  readonly rest: SourceConfig | null;
} {
  const settings = syncSettingsOf(config);
  for (const key of ['watch', 'paused']) {
    const value = settings[key];
    if (value !== undefined && typeof value !== 'boolean')
      throw new TroveError('config_invalid', `config.${key}: must be true or false`);
  }
  parseSchedule(settings);
  return { settings, rest: pluginConfigOf(config) };
}

/** The settings of syncs, unchecked. */
export function syncSettingsOf(config: SourceConfig | null): SourceConfig {
  return Object.fromEntries(Object.entries(config ?? {}).filter(([key]) => isSyncKey(key)));
}

/** The plugin's part of a configuration, without a check of the other part. */
export function pluginConfigOf(config: SourceConfig | null): SourceConfig | null {
  return config && Object.fromEntries(Object.entries(config).filter(([key]) => !isSyncKey(key)));
}

function isSyncKey(key: string): boolean {
  return syncKeys.some((each) => each === key);
}

/** Returns a configuration with changed keys. `null` removes a key. */
export function changeConfig(
  config: SourceConfig | null,
  changes: SourceConfig,
): SourceConfig | null {
  const isRemoved = (key: string): boolean => key in changes && (changes[key] ?? null) === null;
  const all = Object.entries({ ...config, ...changes });
  const kept = all.filter(([key]) => !isRemoved(key));
  return config === null && kept.length === 0 ? null : Object.fromEntries(kept);
}

/** Whether two configurations differ at most in the settings of syncs. */
export function arePluginConfigsEqual(one: SourceConfig | null, two: SourceConfig | null): boolean {
  return digest(pluginConfigOf(one) ?? {}) === digest(pluginConfigOf(two) ?? {});
}

/** The plugin's part of a configuration. Throws `config_invalid`. */
export function withoutSyncSettings(config: SourceConfig | null): SourceConfig | null {
  return splitSyncSettings(config).rest;
}
