import { createHash } from 'node:crypto';
import { parseUri, type JsonSchema } from '@trove/core';
import { findSecretValues, type PluginConfig } from './config.js';

/** The parts of a source that decide its login. */
export interface LoginParts {
  /** Canonical URI of the source's root. */
  readonly target: string;
  readonly schema: JsonSchema;
  /** With unresolved references. */
  readonly config: PluginConfig;
}

/** Settings that name the user of a password, key or token. */
const userSetting = /(?:^|_)(?:user|username|login|email|account|client_id|key_id)$/i;

/**
 * Returns a stable name of the login of a source: a hash of its scheme, its secrets as written, and the user names next to
 * them. Other settings do not count, such as the address of the server. Sources without a secret share no login.
 */
export function loginOf({ target, schema, config }: LoginParts): string {
  const secrets = findSecretValues(schema, config);
  if (secrets.length === 0) return digest(['source', target]);
  const { scheme, authority } = parseUri(target);
  const user = authority.includes('@') ? authority.slice(0, authority.lastIndexOf('@')) : '';
  return digest(['login', scheme, user, ...secrets, ...findUsers(config)]);
}

/** Returns the names of users at the top level and next to nested secrets. */
function findUsers(config: object): [string, unknown][] {
  return Object.entries(config)
    .flatMap(([name, value]: [string, unknown]): [string, unknown][] => {
      if (typeof value === 'string') return userSetting.test(name) ? [[name, value]] : [];
      if (typeof value !== 'object' || value === null) return [];
      return findUsers(value).map(([inner, user]) => [`${name}.${inner}`, user]);
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
