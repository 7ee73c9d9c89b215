import { join } from 'node:path';

import { parse } from 'smol-toml';

import { Failure, UsageError } from '../failure.js';
import { messageOf, readFileIfAny } from './system-errors.js';

/** A server named in client.toml. */
export interface Profile {
  readonly endpoint?: string;
  /** A literal, or `env:VAR`. */
  readonly token?: string;
}

/** The profile of that name in client.toml, or the active one. Throws for an unknown name and for an invalid file. */
export function readProfile(home: string, name: string | undefined): Profile | undefined {
  const path = join(home, 'client.toml');
  const text = readFileIfAny(path);
  if (text === undefined) {
    if (name === undefined) return undefined;
    throw new UsageError(`there is no profile "${name}": ${path} does not exist`);
  }
  const file = tableOf(path, 'the file', parseToml(path, text), ['active', 'profiles']);
  const profiles = tableOf(path, '[profiles]', file['profiles'] ?? {});
  const wanted = name ?? textOf(path, 'active', file['active']);
  if (wanted === undefined) return undefined;
  if (!Object.hasOwn(profiles, wanted)) {
    throw new UsageError(`there is no profile "${wanted}" in ${path}`, [
      `Known: ${Object.keys(profiles).join(', ') || 'none'}.`,
    ]);
  }
  const place = `[profiles.${wanted}]`;
  const profile = tableOf(path, place, profiles[wanted], ['endpoint', 'token']);
  const endpoint = textOf(path, `${place} endpoint`, profile['endpoint']);
  const token = textOf(path, `${place} token`, profile['token']);
  return { ...(endpoint ? { endpoint } : {}), ...(token ? { token } : {}) };
}

function parseToml(path: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new Failure('config_invalid', `${path}: ${messageOf(error)}`);
  }
}

function tableOf(
  path: string,
  place: string,
  value: unknown,
  keys?: readonly string[],
): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Failure('config_invalid', `${path}: ${place} must be a table`);
  }
  const table: Record<string, unknown> = { ...value };
  const unknown = Object.keys(table).find((key) => keys !== undefined && !keys.includes(key));
  if (unknown !== undefined) {
    throw new Failure('config_invalid', `${path}: unknown key "${unknown}" in ${place}`, [
      `Known: ${keys?.join(', ')}.`,
    ]);
  }
  return table;
}

function textOf(path: string, place: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw new Failure('config_invalid', `${path}: ${place} must be a text`);
}
