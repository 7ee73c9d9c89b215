import type { JsonSchema } from '@trove/core';
import { redactConfig } from '@trove/runtime';
import { splitSyncSettings, type SourceConfig } from '../schedules/sync-settings.js';

/** Returns the configuration of a source with its secrets redacted. The engine's own keys hold no secrets. */
export function redactedConfig(schema: JsonSchema, config: SourceConfig): SourceConfig {
  const { settings, rest } = splitSyncSettings(config);
  const { objects, ...own } = rest ?? {};
  const shown = redactConfig(schema, own);
  return { ...shown, ...(objects === undefined ? {} : { objects }), ...settings };
}
