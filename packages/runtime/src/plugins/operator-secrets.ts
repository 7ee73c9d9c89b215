import { isDeepStrictEqual } from 'node:util';
import { TroveError, type JsonSchema } from '@trove/core';
import { visitValues } from './config-values.js';
import { findSuppliedKey, type PluginConfig } from './config.js';
import { isReference } from './credentials.js';

const credentialRef = 'credential_ref';

/**
 * The configuration of a source on top of the operator's settings for its connector. The operator's secrets never go
 * where the source alone says: if it changes another setting of theirs or names an address, it must bring its own, else
 * `config_invalid` is thrown.
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
    `config.${elsewhere}: may lead elsewhere than the settings of the server, whose secret ${names} is not used then`,
    {
      suggestions: [
        `Give ${names} with it, as a reference: env:NAME or file:/path.`,
        `Or leave config.${elsewhere} out.`,
      ],
    },
  );
}

/** A source's own secret, even an empty one, takes the place of the operator's, by whichever of its two keys. */
function dropReplacedSecret(
  schema: JsonSchema,
  operator: PluginConfig,
  own: PluginConfig,
): PluginConfig {
  const key = findSuppliedKey(schema);
  if (key === null || !hasOwnSecret(schema, own, key)) return operator;
  return Object.fromEntries(
    Object.entries(operator).filter(([name]) => name !== key && name !== credentialRef),
  );
}

/** Top-level keys that are secret, or hold a secret. */
function secretKeys(schema: JsonSchema, config: PluginConfig): string[] {
  const keys = new Set<string>();
  visitValues(schema, structuredClone({ ...config }), ({ path: [key], secret, value }) => {
    if (key === undefined || value === null) return;
    if (secret) keys.add(key);
    else if (key === credentialRef) keys.add(findSuppliedKey(schema) ?? key);
  });
  return [...keys];
}

function hasOwnSecret(schema: JsonSchema, own: PluginConfig, key: string): boolean {
  return (
    Object.hasOwn(own, key) ||
    (findSuppliedKey(schema) === key && Object.hasOwn(own, credentialRef))
  );
}

/** The first place in the source's own configuration that changes what the operator set, or is an address. */
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

/** Whatever `new URL` finds another host in, with a base or without: it overlooks white space, and slashes may be missing. */
function isUrl(value: unknown): boolean {
  const text = typeof value === 'string' ? value.replaceAll(/[\t\n\r]/g, '').trim() : '';
  return /^(?:[a-z][a-z0-9+.-]*:)?[\\/]{2}|^(?:https?|wss?|ftp):/i.test(text);
}
