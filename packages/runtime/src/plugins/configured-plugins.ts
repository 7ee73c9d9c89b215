import { isTroveError, TroveError, type PluginKind } from '@trove/core';
import { isPluginKind } from './check-plugin.js';
import { redactConfig, resolveConfig, type PluginConfig } from './config.js';
import { PluginRegistry, type RegistryOptions } from './registry.js';

/** A plugin that the options name, and what they say to it. */
export interface PluginUse {
  readonly kind: PluginKind;
  /** Scheme, provider, backend or media type. */
  readonly key: string;
  readonly config: PluginConfig | undefined;
}

/** A plugin named in the options, loaded and validated against its configuration, but not created. */
export interface ConfiguredPlugin {
  readonly kind: PluginKind;
  /** Scheme, provider, backend or media type. */
  readonly key: string;
  /** Safe to show: secrets are `***`. */
  readonly config: PluginConfig;
  /** Why it cannot be used; null if it can. */
  readonly error: TroveError | null;
}

/** Loads and validates the plugins of `uses`, and those that are configured in `pluginConfig` besides. */
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
  // Until its schema is known, any value may be a secret.
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
