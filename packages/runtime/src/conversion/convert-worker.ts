import type { Converter } from '@trove/core';
import { loadWorkerPlugin, type WorkerPlugin } from '../plugins/worker-plugin.js';
import type { Guard } from '../plugins/guard.js';
import { serveCalls } from '../workers/serve-calls.js';
import {
  runConverter,
  type ConvertLimits,
  type ConvertResult,
  type DocumentInput,
} from './convert.js';

// The entry point of the processes that convert documents.

export interface ConvertRequest {
  readonly document: DocumentInput;
  readonly plugin: WorkerPlugin<'converter'>;
  readonly limits: ConvertLimits;
}

export interface ConvertOperations {
  /** A part is empty and only signals progress. */
  readonly convert: {
    readonly request: ConvertRequest;
    readonly part: null;
    readonly result: ConvertResult;
  };
}

const loadedConverters = new Map<string, Promise<Guard<Converter>>>();

serveCalls<ConvertOperations>(
  () => ({
    convert: async ({ document, plugin, limits }, send) => {
      const { signal } = new AbortController();
      const guard = await loadConverter(plugin);
      return runConverter(guard, `converter ${plugin.key}`, document, limits, signal, () =>
        send(null),
      );
    },
  }),
  (sent) => (sent === null ? [] : [sent.artifact.buffer]),
);

/** Loads each converter once per process. Retries after a failure. */
function loadConverter(plugin: WorkerPlugin<'converter'>): Promise<Guard<Converter>> {
  const id = `${plugin.module} ${plugin.key}`;
  let loading = loadedConverters.get(id);
  if (loading === undefined) {
    loading = loadWorkerPlugin(plugin);
    loadedConverters.set(id, loading);
    loading.catch(() => loadedConverters.delete(id));
  }
  return loading;
}
