import { join } from 'node:path';

import { parse } from 'smol-toml';

import { CommandError, UsageError } from '@trove/commands';
import { messageOf, readFileIfAny } from './system-errors.js';

/** A server named in client.toml. */
export interface ClientProfile {
  readonly endpoint?: string;
  /** A literal, or `env:VAR`. */
  readonly token?: string;
}

/** The contents of client.toml. */
export interface ProfilesFile {
  readonly path: string;
  /** The text of the file, or ''. */
  readonly text: string;
  readonly active: string | undefined;
  readonly names: readonly string[];
  /** Throws a CommandError for an invalid profile. */
  read(name: string): ClientProfile;
}

/** Reads client.toml. Throws a CommandError for an invalid file. */
export function readProfiles(home: string): ProfilesFile {
  const path = join(home, 'client.toml');
  const text = readFileIfAny(path) ?? '';
  const file = tableOf(path, 'the file', parseToml(path, text), ['active', 'profiles']);
  const profiles = tableOf(path, '[profiles]', file['profiles'] ?? {});
  return {
    path,
    text,
    active: textOf(path, 'active', file['active']),
    names: Object.keys(profiles),
    read: (name) => profileOf(path, name, profiles[name]),
  };
}

/** A profile and its name. */
export interface NamedProfile extends ClientProfile {
  readonly name: string;
}

/** Returns the named or active profile of client.toml. Throws for an unknown name and for an invalid file. */
export function readProfile(home: string, name: string | undefined): NamedProfile | undefined {
  const { path, text, active, names, read } = readProfiles(home);
  const selected = name ?? active;
  if (selected === undefined) return undefined;
  if (names.includes(selected)) return { name: selected, ...read(selected) };
  if (text === '')
    throw new UsageError(`there is no profile "${selected}": ${path} does not exist`, [
      `Add it: trove profile add ${selected} --endpoint URL`,
    ]);
  throw new UsageError(`there is no profile "${selected}" in ${path}`, [
    `Known: ${names.join(', ') || 'none'}.`,
  ]);
}

function profileOf(path: string, name: string, value: unknown): ClientProfile {
  const place = `[profiles.${name}]`;
  const profile = tableOf(path, place, value, ['endpoint', 'token']);
  const endpoint = textOf(path, `${place} endpoint`, profile['endpoint']);
  const token = textOf(path, `${place} token`, profile['token']);
  return { ...(endpoint ? { endpoint } : {}), ...(token ? { token } : {}) };
}

function parseToml(path: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new CommandError('config_invalid', `${path}: ${messageOf(error)}`, [
      'Correct the TOML of the file.',
    ]);
  }
}

function tableOf(
  path: string,
  place: string,
  value: unknown,
  keys?: readonly string[],
): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError('config_invalid', `${path}: ${place} must be a table`, [
      'Write a profile as [profiles.NAME] with `endpoint` and `token`.',
    ]);
  }
  const table: Record<string, unknown> = { ...value };
  const unknown = Object.keys(table).find((key) => keys !== undefined && !keys.includes(key));
  if (unknown !== undefined) {
    throw new CommandError('config_invalid', `${path}: unknown key "${unknown}" in ${place}`, [
      `Known: ${keys?.join(', ')}.`,
    ]);
  }
  return table;
}

function textOf(path: string, place: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw new CommandError('config_invalid', `${path}: ${place} must be a string`, [
    'Put the value in double quotes.',
  ]);
}
