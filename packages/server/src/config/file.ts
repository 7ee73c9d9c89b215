import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { TroveError } from '@trove/core';
import type { PublicExplorer } from 'cosmiconfig';
import { parse } from 'smol-toml';
import { unreadableFileError } from './file-error.js';

const fileName = 'server.toml';

/** A `server.toml` that was found. */
export interface ConfigFile {
  readonly path: string;
  readonly content: unknown;
  /** True for a file that was found in the working directory without being named. */
  readonly isStray: boolean;
}

export interface ConfigFileLookup {
  /** The value of `--config`. */
  readonly option: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly home: string;
}

/**
 * Finds the first existing `server.toml` of: `--config`, TROVE_SERVER_CONFIG, the working directory, the home,
 * `~/.trove`, `/etc/trove`. Returns null if there is none. Throws `config_invalid` for a named file that is
 * missing, and for an unreadable file.
 */
export async function findConfigFile({
  option,
  env,
  cwd,
  home,
}: ConfigFileLookup): Promise<ConfigFile | null> {
  if (option !== undefined) return loadNamed(resolve(cwd, option), '--config');
  const named = env['TROVE_SERVER_CONFIG'];
  if (named !== undefined && named !== '') {
    return loadNamed(resolve(cwd, named), 'TROVE_SERVER_CONFIG');
  }
  const own = [home, join(homedir(), '.trove'), '/etc/trove'];
  const isStray = !(await isOneOf(own, cwd));
  for (const folder of [cwd, ...own]) {
    const path = join(folder, fileName);
    // An unreadable file is an error. The search does not continue.
    if (await exists(path)) return load(path, isStray && folder === cwd);
  }
  return null;
}

async function isOneOf(folders: readonly string[], folder: string): Promise<boolean> {
  const real = (path: string): Promise<string> => realpath(path).catch(() => path);
  return (await Promise.all(folders.map(real))).includes(await real(folder));
}

async function loadNamed(path: string, by: string): Promise<ConfigFile> {
  if (await exists(path)) return load(path, false);
  throw new TroveError('config_invalid', `The file ${path} named by ${by} does not exist`, {
    suggestions: [`Create the file, or remove ${by}.`],
  });
}

/** Imported on first use, because a server without a file starts faster. */
async function createExplorer(): Promise<PublicExplorer> {
  const { cosmiconfig } = await import('cosmiconfig');
  return cosmiconfig('trove', {
    searchPlaces: [fileName],
    searchStrategy: 'none',
    ignoreEmptySearchPlaces: false,
    cache: false,
    loaders: { '.toml': (_path, content) => parse(content) },
  });
}

async function load(path: string, isStray: boolean): Promise<ConfigFile> {
  try {
    const found = await (await createExplorer()).load(path);
    const content: unknown = found?.config;
    return { path, content: content ?? {}, isStray };
  } catch (cause) {
    throw unreadableFileError(path, cause);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path, constants.F_OK);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && isMissing(error.code));
  }
}

function isMissing(code: unknown): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR';
}
