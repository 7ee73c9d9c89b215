import {
  isTroveError,
  TroveError,
  type ConnectorPlugin,
  type JsonSchema,
  type Plugin,
  type PluginKind,
  type SourceSetup,
} from '@trove/core';
import { openHttp } from '../http/http.js';
import { PluginRegistry, type PluginPackage, type RegistryOptions } from './registry.js';

type AskFunction = NonNullable<ConnectorPlugin['askConfig']>;
type AskConfig = (
  questions: Parameters<AskFunction>[0],
  context: Omit<Parameters<AskFunction>[1], 'http'>,
) => ReturnType<AskFunction>;

/** A key, its package, and whether the package can be loaded. */
export interface ListedPlugin extends PluginPackage {
  /** Null if the plugin cannot be loaded. */
  readonly configSchema: JsonSchema | null;
  /** Asks a person for the configuration of a source. Null if the questions follow from `configSchema`. */
  readonly askConfig: AskConfig | null;
  /** The questions of a connector's wizard. Null if it has none. */
  readonly setup: SourceSetup | null;
  /** Null if the plugin can be loaded. */
  readonly error: TroveError | null;
}

/**
 * Loads the plugins that the options name, the built-in ones, and installed packages with a conventional name.
 */
export async function listPlugins(
  options: RegistryOptions,
  isWanted: (kind: PluginKind) => boolean = () => true,
): Promise<ListedPlugin[]> {
  const registry = new PluginRegistry(options);
  const found = registry.packages().filter(({ kind }) => isWanted(kind));
  const listed = await Promise.all(found.map((plugin) => load(registry, plugin)));
  return listed.filter((plugin) => !isOfAnotherKind(plugin, listed));
}

async function load(registry: PluginRegistry, plugin: PluginPackage): Promise<ListedPlugin> {
  try {
    const loaded = await registry.get(plugin.kind, plugin.key);
    const { configSchema } = loaded;
    const setup = loaded.kind === 'connector' ? (loaded.setup ?? null) : null;
    return { ...plugin, configSchema, setup, askConfig: askConfigOf(loaded, plugin), error: null };
  } catch (error) {
    if (!isTroveError(error)) throw error;
    return { ...plugin, configSchema: null, setup: null, askConfig: null, error };
  }
}

function askConfigOf(loaded: Plugin, { kind, key }: PluginPackage): AskConfig | null {
  if (loaded.kind !== 'connector' || loaded.askConfig === undefined) return null;
  return async (questions, { target, signal }) => {
    const http = openHttp(signal, { userAgent: `Trove (${kind} ${key})`, retries: true });
    return loaded.askConfig?.(questions, { target, signal, http }) ?? {};
  };
}

/** The operator names a package without its kind, so every kind is tried. */
function isOfAnotherKind(plugin: ListedPlugin, all: readonly ListedPlugin[]): boolean {
  if (plugin.origin !== 'named' || plugin.error === null) return false;
  const same = all.filter(
    ({ key, package: name }) => key === plugin.key && name === plugin.package,
  );
  return same.some(({ error }) => error === null) || same[0] !== plugin;
}
