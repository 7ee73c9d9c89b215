import { silentLogger, TroveError, type Converter } from '@trove/core';
import type { Embedder } from '@trove/core/model';
import { pluginFor } from './check-plugin.js';
import { resolveConfig, type PluginConfig } from './config.js';
import { createPluginContext } from './context.js';
import { createInstance } from './plugin-instance.js';
import { Guard } from './guard.js';
import { importPlugins } from './load-package.js';
import { openWorkers } from '../workers/open-workers.js';
import { addSecrets } from '../workers/serve-calls.js';

/** The instances that may run in a worker, by plugin kind. */
export interface WorkerPluginInstances {
  readonly embedder: Embedder;
  readonly converter: Converter;
}

export type WorkerPluginKind = keyof WorkerPluginInstances;

/** A plugin as plain data, from which a worker creates an instance. */
export interface WorkerPlugin<K extends WorkerPluginKind = WorkerPluginKind> {
  readonly kind: K;
  /** Selects one of several plugins of the module. */
  readonly key: string;
  /** The plugin's `workerModule`. */
  readonly module: string;
  /** Unresolved: the worker resolves references to secrets. */
  readonly config: PluginConfig;
}

/** Returns null for a plugin without a `workerModule`. It runs in the main thread. */
export function toWorkerPlugin<K extends WorkerPluginKind>(
  { kind, workerModule: module }: { readonly kind: K; readonly workerModule?: string },
  key: string,
  config: PluginConfig,
): WorkerPlugin<K> | null {
  return module === undefined ? null : { kind, key, module, config };
}

/**
 * Imports a plugin in the calling thread and guards its instance, which the first call creates. Throws the
 * errors of finding and configuring a plugin.
 */
export async function loadWorkerPlugin<K extends WorkerPluginKind>({
  kind,
  key,
  module,
  config,
}: WorkerPlugin<K>): Promise<Guard<WorkerPluginInstances[K]>> {
  const name = `${kind} ${key}`;
  const plugin = pluginFor<WorkerPluginKind>(await importPlugins(name, module), kind, key);
  if (plugin === undefined) {
    throw new TroveError('plugin_invalid', `${module} exports no ${kind} for \`${key}\``);
  }
  const resolved = await resolveConfig(plugin.configSchema, config, `${name}: config`);
  addSecrets(resolved.secrets);
  const { signal } = new AbortController();
  return new Guard<WorkerPluginInstances[K]>({
    name,
    errorCode: 'internal_error',
    secrets: resolved.secrets,
    start: async () => {
      const logger = silentLogger;
      const context = createPluginContext(resolved, {
        kind,
        key,
        logger,
        signal,
        workers: openWorkers(),
      });
      const created = await createInstance(plugin, context);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `pluginFor` found one of this kind
      return created as WorkerPluginInstances[K];
    },
    close: async (instance) => instance.close?.(),
  });
}
