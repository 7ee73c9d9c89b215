import { isTroveError, TroveError, type PluginKind } from '@trove/core';
import type { EngineOptions } from '../options.js';
import { isPluginKind } from './check-plugin.js';
import { redactConfig, resolveConfig } from './config.js';
import { indexScheme } from './index-scheme.js';
import { PluginRegistry } from './registry.js';

type Config = Readonly<Record<string, unknown>>;

interface Use {
  readonly kind: PluginKind;
  readonly key: string;
  readonly given: Config | undefined;
}

/** A plugin named in the options, loaded and validated against its configuration, but not created. */
export interface ConfiguredPlugin {
  readonly kind: PluginKind;
  /** Scheme, provider, backend or media type. */
  readonly key: string;
  /** Safe to show: secrets are `***`. */
  readonly config: Config;
  /** Why it cannot be used; null if it can. */
  readonly error: TroveError | null;
}

/** Checks every plugin that an engine with these options would open, and those configured in `pluginConfig`. */
export async function checkConfiguredPlugins(options: EngineOptions): Promise<ConfiguredPlugin[]> {
  const registry = new PluginRegistry(options);
  const { metadata, transformationCache: cache, index, embedding } = options;
  const uses: Use[] = [
    { kind: 'metadata-store', key: metadata.backend, given: metadata.config },
    ...(cache
      ? [{ kind: 'transformation-cache' as const, key: cache.backend, given: cache.config }]
      : []),
    { kind: 'vector-index', key: indexScheme(index.uri), given: index.config },
    { kind: 'embedder', key: embedding?.provider ?? 'lexical', given: embedding?.config },
  ];
  const used = new Set(uses.map(({ kind, key }) => `${kind}:${key}`));
  const configured = Object.keys(options.pluginConfig ?? {}).filter((name) => !used.has(name));
  return Promise.all(
    [...uses, ...configured.flatMap(useOf)].map(({ kind, key, given }) =>
      check(registry, kind, key, registry.configOf(kind, key, given)),
    ),
  );
}

function useOf(name: string): Use[] {
  const at = name.indexOf(':');
  const kind = name.slice(0, at);
  return isPluginKind(kind) ? [{ kind, key: name.slice(at + 1), given: undefined }] : [];
}

async function check(
  registry: PluginRegistry,
  kind: PluginKind,
  key: string,
  config: Config,
): Promise<ConfiguredPlugin> {
  // Until its schema is known, any value may be a secret.
  let shown: Config = Object.fromEntries(Object.keys(config).map((name) => [name, '***']));
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
