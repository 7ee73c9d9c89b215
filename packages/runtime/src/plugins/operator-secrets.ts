import { isDeepStrictEqual } from 'node:util';
import { TroveError, type JsonSchema } from '@trove/core';
import { visitValues } from './config-values.js';
import { findOnlySecretKey, type PluginConfig } from './config.js';
import { isReference } from './credentials.js';

const credentialRef = 'credential_ref';

/**
 * Merges the configuration of a source into the operator's settings for its connector. The operator's secrets
 * are never sent to an address of the source's choice. Throws `config_invalid` if the source changes another
 * operator setting or names an address without its own secret.
 */
export function mergeOperatorSettings(
  schema: JsonSchema,
  operator: PluginConfig,
  own: PluginConfig,
): PluginConfig {
  const secrets = secretKeys(schema, operator).filter((key) => !hasOwnSecret(schema, own, key));
  const elsewhere = secrets.length === 0 ? undefined : findRedirect(schema, operator, own);
  if (elsewhere === undefined) return { ...dropReplacedSecret(schema, operator, own), ...own };
  const names = secrets.map((key) => `config.${key}`).join(', ');
  throw new TroveError(
    'config_invalid',
    `config.${elsewhere}: may send the server's secret ${names} to another address`,
    {
      suggestions: [
        `Set ${names} too, as a reference: env:NAME or file:/path.`,
        `Or remove config.${elsewhere}.`,
      ],
    },
  );
}

/** Drops the operator's secret if the source sets its own, even an empty one, under either key. */
function dropReplacedSecret(
  schema: JsonSchema,
  operator: PluginConfig,
  own: PluginConfig,
): PluginConfig {
  const key = findOnlySecretKey(schema);
  if (key === null || !hasOwnSecret(schema, own, key)) return operator;
  return Object.fromEntries(
    Object.entries(operator).filter(([name]) => name !== key && name !== credentialRef),
  );
}

/** Returns the top-level keys that are or contain secrets. */
function secretKeys(schema: JsonSchema, config: PluginConfig): string[] {
  const keys = new Set<string>();
  visitValues(schema, structuredClone({ ...config }), ({ path: [key], secret, value }) => {
    if (key === undefined || value === null) return;
    if (secret) keys.add(key);
    else if (key === credentialRef) keys.add(findOnlySecretKey(schema) ?? key);
  });
  return [...keys];
}

function hasOwnSecret(schema: JsonSchema, own: PluginConfig, key: string): boolean {
  return (
    Object.hasOwn(own, key) ||
    (findOnlySecretKey(schema) === key && Object.hasOwn(own, credentialRef))
  );
}

/**
 * Returns the path of the first value in the source's configuration that changes an operator setting or is an
 * address.
 */
function findRedirect(
  schema: JsonSchema,
  operator: PluginConfig,
  own: PluginConfig,
): string | undefined {
  const changed = Object.entries(own).filter(
    ([key, value]) => !isDeepStrictEqual(operator[key], value),
  );
  const places: string[] = [];
  visitValues(
    schema,
    structuredClone(Object.fromEntries(changed)),
    ({ path, secret, value, isAddress }) => {
      const [key = ''] = path;
      const replaces = Object.hasOwn(operator, key) && path.length === 1;
      if (!secret && (replaces || isAddress || isUrl(value) || isReference(value))) {
        places.push(path.join('.'));
      }
    },
  );
  return places[0];
}

/**
 * Whether `new URL` could find another host in the value. It ignores white space and accepts missing slashes.
 */
function isUrl(value: unknown): boolean {
  const text = typeof value === 'string' ? value.replaceAll(/[\t\n\r]/g, '').trim() : '';
  return /^(?:[a-z][a-z0-9+.-]*:)?[\\/]{2}|^(?:https?|wss?|ftp):/i.test(text);
}
