import type { Converter } from '@trove/core';
import { loadComputingPlugin, type ComputingPlugin } from '../plugins/computing-plugin.js';
import type { Guard } from '../plugins/guard.js';
import { serveCalls } from '../workers/serve-calls.js';
import { convertWith, type ConvertLimits, type ConvertResult, type Document } from './convert.js';

// The entry point of the processes that convert documents.

export interface ConvertRequest {
  readonly document: Document;
  readonly plugin: ComputingPlugin<'converter'>;
  readonly limits: ConvertLimits;
}

export interface ConvertOperations {
  /** A part says no more than that it goes on. */
  readonly convert: {
    readonly request: ConvertRequest;
    readonly part: null;
    readonly result: ConvertResult;
  };
}

const loaded = new Map<string, Promise<Guard<Converter>>>();

serveCalls<ConvertOperations>(
  () => ({
    convert: async ({ document, plugin, limits }, send) => {
      const { signal } = new AbortController();
      const guard = await load(plugin);
      return convertWith(guard, `converter ${plugin.key}`, document, limits, signal, () =>
        send(null),
      );
    },
  }),
  (sent) => (sent === null ? [] : [sent.artifact.buffer]),
);

/** Each converter is created once in a process; one that cannot be loaded is tried again. */
function load(plugin: ComputingPlugin<'converter'>): Promise<Guard<Converter>> {
  const id = `${plugin.module} ${plugin.key}`;
  let loading = loaded.get(id);
  if (loading === undefined) {
    loading = loadComputingPlugin(plugin);
    loaded.set(id, loading);
    loading.catch(() => loaded.delete(id));
  }
  return loading;
}
