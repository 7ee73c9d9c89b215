import { isTroveError, messageOf, TroveError } from '@trove/core';
import type { Embedder } from '@trove/core/model';
import { normalizeVectors, loadWorkerPlugin, type WorkerPlugin } from '@trove/runtime';
import type { EmbedTexts } from './analyse.js';

const limitMs = 120_000;

/** An embedder that is loaded in this thread. */
export interface ThreadEmbedder {
  readonly embed: EmbedTexts;
  /** Trains on texts and returns the trained state. */
  readonly train: (texts: readonly string[]) => Promise<Uint8Array<ArrayBuffer>>;
}

/** Loads the embedder. If that fails, every call throws the reason. */
export function loadThreadEmbedder(
  plugin: WorkerPlugin<'embedder'>,
  dimension: number,
): ThreadEmbedder {
  const loading = loadWorkerPlugin(plugin).catch((error: unknown) => {
    throw loadError(error);
  });
  loading.catch(() => undefined);
  const { signal } = new AbortController();
  const call = async <T>(method: string, use: (embedder: Embedder) => Promise<T>): Promise<T> => {
    const guard = await loading;
    try {
      return await guard.call(method, limitMs, signal, use);
    } catch (error) {
      throw isTroveError(error) && error.code === 'internal_error' ? retryableError(error) : error;
    }
  };
  return {
    embed: (texts, terms, trainedState) =>
      call('embed', async (embedder) => {
        const trained = trainedState === null ? {} : { trainedState };
        const options = { purpose: 'document', terms, ...trained, signal } as const;
        return normalizeVectors(await embedder.embed(texts, options), texts.length, dimension);
      }),
    train: (texts) =>
      call('train', async (embedder) => {
        const state: unknown = await embedder.train?.(texts, { signal });
        if (!(state instanceof Uint8Array) || state.length === 0)
          throw new TroveError('plugin_invalid', 'The embedder: train must resolve to bytes');
        return Uint8Array.from(state);
      }),
  };
}

/** The embedder would fail for all other objects, so the error ends the job. */
function loadError(error: unknown): TroveError {
  return new TroveError('embedding_unavailable', `In a worker thread: ${messageOf(error)}`, {
    cause: error,
    suggestions: ['The `workerModule` of the embedder must be importable in a worker thread.'],
  });
}

/** An error without a code may not recur, so it is retryable. */
function retryableError(error: TroveError): TroveError {
  return new TroveError('embedding_unavailable', error.message, { cause: error, retryable: true });
}
