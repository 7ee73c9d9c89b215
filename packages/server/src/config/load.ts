import { dirname } from 'node:path';
import { TroveError } from '@trove/core';
import { defaultHome, resolveSettings, type ResolvedSettings } from 'trove';
import { readEnvironment, type SettingOverride } from './environment.js';
import { findConfigFile, type ConfigFile } from './file.js';

export interface ConfigOptions {
  /** The value of `--config`. */
  readonly configFile?: string | undefined;
  /** Settings given as command line options, by name: `server.bind`. */
  readonly options?: readonly CommandOption[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

export interface CommandOption {
  /** As written: `--bind`. */
  readonly option: string;
  /** `['server', 'bind']` for `server.bind`. */
  readonly path: readonly string[];
  readonly value: unknown;
}

export interface ServerConfig {
  readonly settings: ResolvedSettings;
  /** Path of the `server.toml` in use; null when there is none. */
  readonly file: string | null;
  /** The origin of each setting that is not a default, by name. */
  readonly origins: ReadonlyMap<string, string>;
  /** Folders to search for plugin packages, in order, before the server's own installation. */
  readonly packageFolders: readonly string[];
  /** Environment variables that look like settings but are unknown. */
  readonly ignored: readonly string[];
}

/**
 * Loads the settings of this process: options, then the environment, then the file, then defaults. Throws
 * `config_invalid`.
 */
export async function loadConfig({
  configFile,
  options = [],
  env = process.env,
  cwd = process.cwd(),
}: ConfigOptions = {}): Promise<ServerConfig> {
  const home = defaultHome(env);
  const file = await findConfigFile({ option: configFile, env, cwd, home });
  if (file?.isStray === true) refuseUntrustedSettings(file);
  const { overrides, ignored } = readEnvironment(env);
  const layers = [
    ...overrides,
    ...options.map(({ option, ...setting }): SettingOverride => ({ variable: option, ...setting })),
  ];
  const origins = new Map<string, string>();
  let settings: unknown = file?.content ?? {};
  for (const layer of layers) {
    settings = withOverride(settings, layer.path, layer.value);
    origins.set(layer.path.join('.'), layer.variable);
  }
  const originOf = (name: string): string | null => origins.get(name) ?? file?.path ?? null;
  const resolved = resolveSettings(settings, { home, originOf });
  for (const name of file === null ? [] : namesIn(file.content)) {
    if (!origins.has(name)) origins.set(name, file?.path ?? '');
  }
  return {
    settings: resolved,
    file: file?.path ?? null,
    origins,
    packageFolders: file === null || file.isStray ? [home] : [dirname(file.path), home],
    ignored,
  };
}

/** Rejects settings that load code or open the server from a stray file, which may come with any folder. */
function refuseUntrustedSettings({ path, content }: ConfigFile): void {
  if (!isRecord(content)) return;
  const { plugins, auth_token: token } = content;
  const refused = [
    ...(isRecord(plugins) && Object.keys(plugins).length > 0 ? ['[plugins]'] : []),
    ...(typeof token === 'string' && token.trim() === '-' ? ['auth_token = "-"'] : []),
  ];
  if (refused.length === 0) return;
  throw new TroveError(
    'config_invalid',
    `${refused.join(' and ')}: not accepted from ${path}, because it was only found in the working directory`,
    {
      suggestions: [
        `If you trust the file, use --config ${path}`,
        'Otherwise run the command in another folder.',
      ],
    },
  );
}

/** Returns a copy with one setting replaced. Leaves values that are not tables for validation to reject. */
function withOverride(settings: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...deeper] = path;
  if (key === undefined) return value;
  if (!isRecord(settings)) return settings;
  return { ...settings, [key]: withOverride(settings[key] ?? {}, deeper, value) };
}

/** Returns the names of all settings in a file: `embedding.model`. */
function namesIn(content: unknown): string[] {
  if (!isRecord(content)) return [];
  return Object.entries(content).flatMap(([name, value]) =>
    isRecord(value) ? namesIn(value).map((deeper) => `${name}.${deeper}`) : [name],
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
