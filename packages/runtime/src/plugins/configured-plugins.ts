import { isTroveError, TroveError, type PluginKind } from '@trove/core';
import { isPluginKind } from './check-plugin.js';
import { redactConfig, resolveConfig, type PluginConfig } from './config.js';
import { PluginRegistry, type RegistryOptions } from './registry.js';

/** A plugin that the options name, with its configuration. */
export interface PluginUse {
  readonly kind: PluginKind;
  /** Scheme, provider, backend or media type. */
  readonly key: string;
  readonly config: PluginConfig | undefined;
}

/** The result of loading a plugin and validating its configuration. No instance is created. */
export interface ConfiguredPlugin {
  readonly kind: PluginKind;
  /** Scheme, provider, backend or media type. */
  readonly key: string;
  /** With secrets replaced by `***`. */
  readonly config: PluginConfig;
  /** Null if the plugin can be used. */
  readonly error: TroveError | null;
}

/** Loads the plugins in `uses` and in `pluginConfig`, and validates their configurations. */
export async function checkPluginUses(
  options: RegistryOptions,
  uses: readonly PluginUse[],
): Promise<ConfiguredPlugin[]> {
  const registry = new PluginRegistry(options);
  const used = new Set(uses.map(({ kind, key }) => `${kind}:${key}`));
  const configured = Object.keys(options.pluginConfig ?? {}).filter((name) => !used.has(name));
  return Promise.all(
    [...uses, ...configured.flatMap(useOf)].map(({ kind, key, config }) =>
      check(registry, kind, key, registry.configOf(kind, key, config)),
    ),
  );
}

function useOf(name: string): PluginUse[] {
  const at = name.indexOf(':');
  const kind = name.slice(0, at);
  return isPluginKind(kind) ? [{ kind, key: name.slice(at + 1), config: undefined }] : [];
}

async function check(
  registry: PluginRegistry,
  kind: PluginKind,
  key: string,
  config: PluginConfig,
): Promise<ConfiguredPlugin> {
  // Without the schema, any value may be a secret.
  let shown: PluginConfig = Object.fromEntries(Object.keys(config).map((name) => [name, '***']));
  try {
    const { configSchema } = await registry.get(kind, key);
    shown = redactConfig(configSchema, config) ?? {};
    await resolveConfig(configSchema, config);
    return { kind, key, config: shown, error: null };
  } catch (error) {
    if (!isTroveError(error)) throw error;
    return { kind, key, config: shown, error };
  }
}
