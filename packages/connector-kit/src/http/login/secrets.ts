import { createHash } from 'node:crypto';
import type { Credentials } from '@trove/core';

import type { LoginDescription, Scope } from '../description/index.js';
import { isRecord, valueAt } from '../json.js';
import { renderOptional } from '../template.js';

const settingPlaceholders = /\{\+?(?:config|target)\b[\w.[\]-]*\}/g;
const secretPaths = /\{\+?secret\.([\w.-]+)\}/g;

/** Returns a scope with the secrets that the placeholders of a description name. Null if one of them is not set. */
export async function withSecrets(
  description: unknown,
  scope: Scope,
  credentials: Credentials,
): Promise<Scope | null> {
  const text = JSON.stringify(description) ?? '';
  const paths = new Set([...text.matchAll(secretPaths)].map(([, path = '']) => path));
  let secret: Record<string, unknown> = {};
  for (const path of paths) {
    const value = await readSecret(path, credentials);
    if (value === undefined) return null;
    secret = setAt(secret, path.split('.'), value);
  }
  return { ...scope, values: { ...scope.values, secret } };
}

/** Reads a secret setting, or a member of a secret that is JSON. */
async function readSecret(path: string, credentials: Credentials): Promise<unknown> {
  const direct = await credentials.get(path);
  if (direct !== undefined) return direct;
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return undefined;
  const text = await credentials.get(name);
  if (text === undefined) return undefined;
  try {
    return valueAt(JSON.parse(text), rest.join('.'));
  } catch {
    return undefined;
  }
}

function setAt(
  target: Readonly<Record<string, unknown>>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  if (rest.length === 0) return { ...target, [name]: value };
  const inner = target[name];
  return { ...target, [name]: setAt(isRecord(inner) ? inner : {}, rest, value) };
}

/** Returns the names of the settings that a login needs. */
export function settingsOf(auth: LoginDescription): readonly string[] {
  if (typeof auth === 'function' || auth === 'none') return [];
  if ('bearer' in auth) return [auth.bearer];
  const named = [...JSON.stringify(auth).matchAll(/\{\+?secret\.([\w-]+)/g)];
  const isRefresh = 'oauth2' in auth && auth.oauth2.grant === 'refresh';
  return [...(isRefresh ? [auth.oauth2.refreshToken] : []), ...named.map(([, name = '']) => name)];
}

/**
 * Returns the logins with the values of their settings, but without secrets. A service account acts for the user of a setting,
 * so equal secrets do not mean equal access. A function may read any setting, so sources with functions share tokens only if
 * all their settings are equal.
 */
export function identityOf(auth: readonly LoginDescription[], scope: Scope): string {
  let hasFunction = false;
  const logins = JSON.stringify(auth, (_, value: unknown) => {
    hasFunction ||= typeof value === 'function';
    return typeof value === 'string'
      ? value.replace(
          settingPlaceholders,
          (placeholder) => renderOptional(placeholder, scope) ?? '',
        )
      : value;
  });
  if (!hasFunction) return logins;
  const settings = JSON.stringify([scope.config, scope.target]);
  // Settings may contain secrets, which must not stay in memory after the source has closed.
  return logins + createHash('sha256').update(settings).digest('base64url');
}
