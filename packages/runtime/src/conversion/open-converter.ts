import { TroveError, type Converter } from '@trove/core';
import { openPlugin, type PluginEnvironment } from '../open-plugins.js';
import { createInstance } from '../plugins/plugin-instance.js';
import type { Guard } from '../plugins/guard.js';
import { toWorkerPlugin, type WorkerPlugin } from '../plugins/worker-plugin.js';

const second = 1000;
/** What one document may take unless its converter says otherwise. */
export const defaultLimitMs = 60_000;

/** What converts the documents of one media type. */
export interface OpenedConverter {
  readonly name: string;
  readonly version: string;
  /** What one document may take. */
  readonly limitMs: number;
  readonly guard: Guard<Converter>;
  /** What a process of its own converts with; null for a converter that waits. */
  readonly workerPlugin: WorkerPlugin<'converter'> | null;
}

/** Throws what finding, configuring and creating a plugin throws. */
export async function openConverter(
  opening: PluginEnvironment,
  mediaType: string,
): Promise<OpenedConverter> {
  const { registry, signal } = opening;
  const plugin = await registry.get('converter', mediaType);
  const { name, guard } = await openPlugin(
    opening,
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
      `${name}: \`version\` must be a text of 1 to 200 characters`,
    );
  }
  const config = registry.configOf('converter', mediaType, undefined);
  const { timeoutMs: limitMs = defaultLimitMs } = plugin;
  return { name, version, limitMs, guard, workerPlugin: toWorkerPlugin(plugin, mediaType, config) };
}
