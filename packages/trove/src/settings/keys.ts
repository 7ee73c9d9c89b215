import type { JsonSchema } from '@trove/core';
import { settingsSchema } from './schema.js';

/** One setting: `embedding.batch_size`, or `namespace` at the top level. */
export interface SettingKey {
  readonly section: string | null;
  readonly key: string;
  /** Name in errors and reports. */
  readonly name: string;
  readonly schema: JsonSchema;
}

/** The sections of `server.toml`, including `plugins` with its free keys. */
export const sections: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.entries<JsonSchema>(settingsSchema.properties).filter(
    ([, schema]) => schema.type === 'object',
  ),
);

/** All settings and nested sections with fixed names. */
export const namedKeys: readonly SettingKey[] = Object.entries<JsonSchema>(
  settingsSchema.properties,
).flatMap(([name, schema]) => keysOf(name, schema));

/** All settings with fixed names. Omits `[plugins]` and the settings of plugins. */
export const settingKeys: readonly SettingKey[] = namedKeys.filter(
  ({ schema }) => schema.type !== 'object',
);

function keysOf(name: string, schema: JsonSchema): SettingKey[] {
  if (schema.type !== 'object') return [{ section: null, key: name, name, schema }];
  return Object.entries(schema.properties ?? {}).map(([key, property]) => ({
    section: name,
    key,
    name: `${name}.${key}`,
    schema: property,
  }));
}
