import { apiVersion } from '@trove/core';
import type { JsonSchema } from '@trove/core';

import { expect, expectEqual } from '../expect.js';
import { connectorCase } from './connector-case.js';

/** Requirements on the plugin's own declarations. */
export const pluginCases = [
  connectorCase(
    'plugin-states-itself',
    'is a connector of this API version, whose keys are schemes in lower case',
    [],
    async (_, { plugin, target }) => {
      expectEqual(plugin.kind, 'connector', 'kind');
      expectEqual(plugin.apiVersion, apiVersion, 'apiVersion');
      for (const key of plugin.keys)
        expect(/^[a-z][a-z0-9+.-]*$/.test(key), `keys: "${key}" must match [a-z][a-z0-9+.-]*`);
      const isServed = plugin.keys.some((key) => target.startsWith(`${key}://`));
      expect(isServed, 'target: must have one of the schemes that the plugin serves');
    },
  ),
  connectorCase(
    'schema-explains-itself',
    'has a closed configuration schema that describes each of its keys',
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
    'lists-and-reads',
    'has `list`, and one of `read` and `records`',
    [],
    async (connector) => {
      expectEqual(typeof connector.list, 'function', 'typeof list');
      const readers = [typeof connector.read, typeof connector.records];
      expect(readers.includes('function'), 'the connector has neither `read` nor `records`');
    },
  ),
  connectorCase('closes-twice', 'can be closed a second time', ['close'], async (connector) => {
    await connector.close?.();
  }),
];
