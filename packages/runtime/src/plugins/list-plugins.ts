import { isTroveError, TroveError, type JsonSchema, type PluginKind } from '@trove/core';
import { PluginRegistry, type PluginPackage, type RegistryOptions } from './registry.js';

/** A key, the package that would serve it, and whether it can. */
export interface ListedPlugin extends PluginPackage {
  /** What configures it; null when it cannot be loaded. */
  readonly configSchema: JsonSchema | null;
  /** Why it cannot be loaded; null if it can. */
  readonly error: TroveError | null;
}

/** Loads whatever the options name, what is built in, and what is installed under a name of Trove's. */
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
    const { configSchema } = await registry.get(plugin.kind, plugin.key);
    return { ...plugin, configSchema, error: null };
  } catch (error) {
    if (!isTroveError(error)) throw error;
    return { ...plugin, configSchema: null, error };
  }
}

/** The operator names a package without saying what kind of plugin it has, so it is looked for as each. */
function isOfAnotherKind(plugin: ListedPlugin, all: readonly ListedPlugin[]): boolean {
  if (plugin.origin !== 'named' || plugin.error === null) return false;
  const same = all.filter(
    ({ key, package: name }) => key === plugin.key && name === plugin.package,
  );
  return same.some(({ error }) => error === null) || same[0] !== plugin;
}
