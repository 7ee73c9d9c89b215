import type { JsonSchema } from '@trove/core';
import { settingsSchema } from './schema.js';

/** One setting: `embedding.batch_size`, or `namespace` at the top. */
export interface SettingKey {
  readonly section: string | null;
  readonly key: string;
  /** How errors and reports name it. */
  readonly name: string;
  readonly schema: JsonSchema;
}

/** The sections of `server.toml`, `plugins` with its free keys among them. */
export const sections: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.entries<JsonSchema>(settingsSchema.properties).filter(
    ([, schema]) => schema.type === 'object',
  ),
);

/** Everything that has a name of its own, the sections in a section too. */
export const namedKeys: readonly SettingKey[] = Object.entries<JsonSchema>(
  settingsSchema.properties,
).flatMap(([name, schema]) => keysOf(name, schema));

/** Every setting that has a name of its own: all but those of `[plugins]` and of plugins themselves. */
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
