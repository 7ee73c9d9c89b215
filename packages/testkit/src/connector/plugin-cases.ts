import { apiVersion, type JsonSchema } from '@trove/core';

import { expect, expectEqual } from '../expect.js';
import { refusals } from './config.js';
import { connectorCase } from './connector-case.js';

/** Requirements on the plugin's declarations. */
export const pluginCases = [
  connectorCase(
    'plugin-declares-itself',
    'declares this API version and lower-case schemes',
    [],
    async (_, { plugin, target }) => {
      expectEqual(plugin.kind, 'connector', 'kind');
      expectEqual(plugin.apiVersion, apiVersion, 'apiVersion');
      for (const key of plugin.keys)
        expect(/^[a-z][a-z0-9+.-]*$/.test(key), `keys: "${key}" must match [a-z][a-z0-9+.-]*`);
      const isServed = plugin.keys.some((key) => target.startsWith(`${key}://`));
      expect(isServed, 'target: must have a scheme of the plugin');
    },
  ),
  connectorCase(
    'schema-explains-itself',
    'has a closed configuration schema with a description of each key',
    [],
    async (_, { plugin: { configSchema } }) => {
      const schema: JsonSchema = configSchema;
      expectEqual(schema.type, 'object', 'configSchema.type');
      expectEqual(schema.additionalProperties, false, 'configSchema.additionalProperties');
      for (const [key, { description }] of Object.entries(schema.properties ?? {})) {
        expect((description ?? '').trim() !== '', `configSchema.${key}: has no description`);
      }
    },
  ),
  connectorCase(
    'schema-leaves-common-keys',
    'has a configuration schema without the keys of all sources',
    [],
    async (_, { plugin: { configSchema } }) => {
      const schema: JsonSchema = configSchema;
      for (const key of ['objects', 'watch', 'paused', 'every', 'cron', 'hours']) {
        const isFree = !Object.hasOwn(schema.properties ?? {}, key);
        expect(isFree, `configSchema.${key}: is reserved for all sources`);
      }
    },
  ),
  connectorCase(
    'schema-takes-its-defaults',
    'has defaults that its schema accepts',
    [],
    async (_, { plugin: { configSchema } }) => {
      const schema: JsonSchema = configSchema;
      for (const [key, { default: value, ...property }] of Object.entries(
        schema.properties ?? {},
      )) {
        const reasons = value === undefined ? [] : refusals(property, structuredClone(value));
        expectEqual(reasons, [], `why configSchema.${key} rejects its default`);
      }
    },
  ),
  connectorCase(
    'schema-rejects-invalid',
    'has a configuration schema that rejects invalid configurations',
    ['refused'],
    async (_, { plugin: { configSchema }, refused = [] }) => {
      for (const config of refused) {
        const isRefused = refusals(configSchema, structuredClone(config)).length > 0;
        expect(isRefused, `configSchema: accepts ${JSON.stringify(config)}`);
      }
    },
  ),
  connectorCase(
    'schema-marks-secrets',
    'marks each credential as `writeOnly`',
    ['secret', 'unreachable'],
    async (_, { plugin: { configSchema }, unreachable, secret = '' }) => {
      expect(secret !== '', 'secret: must not be empty');
      for (const place of schemaGaps(configSchema, unreachable?.config, secret))
        throw new Error(`configSchema.${place}: holds a credential, but is not writeOnly`);
    },
  ),
  connectorCase(
    'lists-and-reads',
    'has `list` and at least one of `read` and `records`',
    [],
    async (connector) => {
      expectEqual(typeof connector.list, 'function', 'typeof list');
      const readers = [typeof connector.read, typeof connector.records];
      expect(readers.includes('function'), 'the connector has neither `read` nor `records`');
    },
  ),
  connectorCase('closes-twice', 'can be closed twice', ['close'], async (connector) => {
    await connector.close?.();
  }),
];

/** Returns the paths of values with the secret that no schema marks as secret. */
function schemaGaps(
  schema: JsonSchema | undefined,
  value: unknown,
  secret: string,
  at: readonly string[] = [],
): string[] {
  if (schema?.writeOnly === true) return [];
  if (typeof value === 'string') return value.includes(secret) ? [at.join('.')] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    schemaGaps(memberSchema(schema, key), inner, secret, [...at, key]),
  );
}

function memberSchema(schema: JsonSchema | undefined, key: string): JsonSchema | undefined {
  const { properties, items, additionalProperties } = schema ?? {};
  const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return properties?.[key] ?? items ?? others;
}
