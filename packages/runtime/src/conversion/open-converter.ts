import { TroveError, type Converter } from '@trove/core';
import { openPlugin, type PluginEnvironment } from '../open-plugins.js';
import { createInstance } from '../plugins/plugin-instance.js';
import type { Guard } from '../plugins/guard.js';
import { toWorkerPlugin, type WorkerPlugin } from '../plugins/worker-plugin.js';

const second = 1000;
/** Default time limit per document. */
export const defaultLimitMs = 60_000;

/** The opened converter of one media type. */
export interface OpenedConverter {
  readonly name: string;
  readonly version: string;
  /** Time limit per document. */
  readonly timeoutMs: number;
  readonly guard: Guard<Converter>;
  /** The converter as worker processes load it. Null for a converter that does not compute. */
  readonly workerPlugin: WorkerPlugin<'converter'> | null;
}

/** Throws the errors of finding, configuring and creating a plugin. */
export async function openConverter(
  environment: PluginEnvironment,
  mediaType: string,
): Promise<OpenedConverter> {
  const { registry, signal } = environment;
  const plugin = await registry.get('converter', mediaType);
  const { name, guard } = await openPlugin(
    environment,
    plugin,
    mediaType,
    undefined,
    'internal_error',
    (context) => createInstance(plugin, context),
  );
  const version: unknown = await guard.call('create', second, signal, (made) => made.version);
  if (typeof version !== 'string' || version.trim() === '' || version.length > 200) {
    throw new TroveError(
      'plugin_invalid',
      `${name}: \`version\` must be a string of 1 to 200 characters`,
    );
  }
  const config = registry.configOf('converter', mediaType, undefined);
  const { timeoutMs = defaultLimitMs } = plugin;
  return {
    name,
    version,
    timeoutMs,
    guard,
    workerPlugin: toWorkerPlugin(plugin, mediaType, config),
  };
}
