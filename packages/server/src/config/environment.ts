import type { JsonSchema } from '@trove/core';
import { settingKeys, settingsSchema, type SettingKey } from 'trove';

import { textValue } from '../text-value.js';

const reserved = new Set(['TROVE_HOME', 'TROVE_SERVER_CONFIG', 'TROVE_API_TOKEN']);
const pluginPrefix = 'TROVE_PLUGINS_';
const configPrefix = 'TROVE_PLUGIN_CONFIG_';

/** A setting from the environment. */
export interface SettingOverride {
  readonly variable: string;
  /** `['embedding', 'model']` for `embedding.model`. */
  readonly path: readonly string[];
  readonly value: unknown;
}

export interface EnvironmentSettings {
  readonly overrides: readonly SettingOverride[];
  /** Variables that look like settings but are unknown. */
  readonly ignored: readonly string[];
}

/**
 * Reads `TROVE_<SECTION>_<KEY>`. Empty variables count as unset. Values are converted to the type of their
 * setting. A value that cannot be converted stays a string, which validation rejects.
 */
export function readEnvironment(env: NodeJS.ProcessEnv): EnvironmentSettings {
  const byVariable = new Map(settingKeys.map((setting) => [variableOf(setting), setting]));
  const overrides: SettingOverride[] = [];
  const ignored: string[] = [];
  for (const [variable, text] of Object.entries(env)) {
    if (text === undefined || text === '' || reserved.has(variable)) continue;
    const setting = byVariable.get(variable);
    if (setting !== undefined) {
      const { section, key, schema } = setting;
      const path = section === null ? [key] : [section, key];
      overrides.push({ variable, path, value: settingOf(text, schema) });
    } else if (variable.startsWith(pluginPrefix)) {
      const key = variable.slice(pluginPrefix.length).toLowerCase();
      overrides.push({ variable, path: ['plugins', key], value: text });
    } else {
      const path = pluginConfigPath(variable);
      if (path !== null) overrides.push({ variable, path, value: jsonOrText(text) });
      else if (isInSection(variable)) ignored.push(variable);
    }
  }
  return { overrides: withApiToken(overrides, env), ignored };
}

function variableOf({ section, key }: SettingKey): string {
  return ['TROVE', ...(section === null ? [] : [section]), key].join('_').toUpperCase();
}

/** Applies TROVE_API_TOKEN, which servers and clients share. It takes precedence. */
function withApiToken(
  overrides: readonly SettingOverride[],
  env: NodeJS.ProcessEnv,
): SettingOverride[] {
  const token = env['TROVE_API_TOKEN'];
  if (token === undefined || token === '') return [...overrides];
  const rest = overrides.filter(({ path }) => path.join('.') !== 'auth_token');
  return [...rest, { variable: 'TROVE_API_TOKEN', path: ['auth_token'], value: token }];
}

/** Maps TROVE_PLUGIN_CONFIG_EMBEDDER_VOYAGE_BATCH_SIZE to `batch_size` in `[plugin_config.embedder.voyage]`. */
function pluginConfigPath(variable: string): string[] | null {
  if (!variable.startsWith(configPrefix)) return null;
  const name = variable.slice(configPrefix.length).toLowerCase();
  for (const kind of Object.keys(settingsSchema.properties.plugin_config.properties)) {
    const prefix = `${kind.replaceAll('-', '_')}_`;
    const [key, ...setting] = name.startsWith(prefix) ? name.slice(prefix.length).split('_') : [];
    if (key && setting.join('') !== '') return ['plugin_config', kind, key, setting.join('_')];
  }
  return null;
}

/** Parses JSON and returns other texts unchanged, because only the plugin knows the type. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isInSection(variable: string): boolean {
  return Object.entries<JsonSchema>(settingsSchema.properties).some(
    ([name, { type }]) => type === 'object' && variable.startsWith(`TROVE_${name.toUpperCase()}_`),
  );
}

/** Accepts `True` and `FALSE`, which are common in environments. */
function settingOf(text: string, schema: JsonSchema): unknown {
  return textValue(text, schema);
}
