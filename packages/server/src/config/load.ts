import { defaultHome, resolveSettings, type ResolvedSettings } from 'trove';
import { readEnvironment, type Override } from './environment.js';
import { findConfigFile } from './file.js';

export interface ConfigOptions {
  /** What `--config` named. */
  readonly configFile?: string | undefined;
  /** Settings that options of the command line give, by name: `server.bind`. */
  readonly options?: readonly CommandOption[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

export interface CommandOption {
  /** As it was written: `--bind`. */
  readonly option: string;
  readonly section: string;
  readonly key: string;
  readonly value: unknown;
}

export interface ServerConfig {
  readonly settings: ResolvedSettings;
  /** Path of the `server.toml` in use; null when there is none. */
  readonly file: string | null;
  /** Where each setting that is not a default was written, by name. */
  readonly origins: ReadonlyMap<string, string>;
  /** Environment variables that look like settings and are none. */
  readonly ignored: readonly string[];
}

/** The settings of this process: options, then the environment, then the file, then defaults. Throws `config_invalid`. */
export async function loadConfig({
  configFile,
  options = [],
  env = process.env,
  cwd = process.cwd(),
}: ConfigOptions = {}): Promise<ServerConfig> {
  const home = defaultHome(env);
  const file = await findConfigFile({ option: configFile, env, cwd, home });
  const { overrides, ignored } = readEnvironment(env);
  const layers = [
    ...overrides,
    ...options.map(({ option, ...setting }): Override => ({ variable: option, ...setting })),
  ];
  const origins = new Map<string, string>();
  let settings: unknown = file?.content ?? {};
  for (const layer of layers) {
    settings = withOverride(settings, layer);
    origins.set(nameOf(layer), layer.variable);
  }
  const originOf = (name: string): string | null => origins.get(name) ?? file?.path ?? null;
  const resolved = resolveSettings(settings, { home, originOf });
  if (file !== null) nameFileOrigins(file.content, file.path, origins);
  return { settings: resolved, file: file?.path ?? null, origins, ignored };
}

function nameOf({ section, key }: Override): string {
  return section === null ? key : `${section}.${key}`;
}

/** A copy with one setting replaced. What is no table is left for the check of the settings to refuse. */
function withOverride(settings: unknown, { section, key, value }: Override): unknown {
  if (!isRecord(settings)) return settings;
  if (section === null) return { ...settings, [key]: value };
  const table = settings[section] ?? {};
  return isRecord(table) ? { ...settings, [section]: { ...table, [key]: value } } : settings;
}

function nameFileOrigins(content: unknown, path: string, origins: Map<string, string>): void {
  for (const [name, value] of Object.entries(isRecord(content) ? content : {})) {
    const names = isRecord(value) ? Object.keys(value).map((key) => `${name}.${key}`) : [name];
    for (const full of names) if (!origins.has(full)) origins.set(full, path);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
