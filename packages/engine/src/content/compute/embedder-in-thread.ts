import { isTroveError, messageOf, TroveError } from '@trove/core';
import type { Embedder } from '@trove/core/model';
import { checkedVectors, loadComputingPlugin, type ComputingPlugin } from '@trove/runtime';
import type { Embed } from './analyse.js';

const limitMs = 120_000;

/** An embedder of this thread's own. */
export interface EmbedderInThread {
  readonly embed: Embed;
  /** What it learns from texts. */
  readonly fit: (texts: readonly string[]) => Promise<Uint8Array<ArrayBuffer>>;
}

/** Loads it. Every call says why it cannot be loaded. */
export function embedderInThread(
  plugin: ComputingPlugin<'embedder'>,
  dimension: number,
): EmbedderInThread {
  const loading = loadComputingPlugin(plugin).catch((error: unknown) => {
    throw unloaded(error);
  });
  loading.catch(() => undefined);
  const { signal } = new AbortController();
  const call = async <T>(method: string, use: (embedder: Embedder) => Promise<T>): Promise<T> => {
    const guard = await loading;
    try {
      return await guard.call(method, limitMs, signal, use);
    } catch (error) {
      throw isTroveError(error) && error.code === 'internal_error' ? unexplained(error) : error;
    }
  };
  return {
    embed: (texts, terms, fit) =>
      call('embed', async (embedder) => {
        const learned = fit === null ? {} : { fit };
        const options = { purpose: 'document', terms, ...learned, signal } as const;
        return checkedVectors(await embedder.embed(texts, options), texts.length, dimension);
      }),
    fit: (texts) =>
      call('fit', async (embedder) => {
        const state: unknown = await embedder.train?.(texts, { signal });
        if (!(state instanceof Uint8Array) || state.length === 0)
          throw new TroveError('plugin_invalid', 'The embedder: fit must resolve to bytes');
        return Uint8Array.from(state);
      }),
  };
}

/** No further object would fare better, so it must end the job. */
function unloaded(error: unknown): TroveError {
  return new TroveError('embedding_unavailable', `In a worker thread: ${messageOf(error)}`, {
    cause: error,
    suggestions: ['The `workerModule` of the embedder must be importable in a worker thread.'],
  });
}

/** An error without a code may not recur, so it is retryable. */
function unexplained(error: TroveError): TroveError {
  return new TroveError('embedding_unavailable', error.message, { cause: error, retryable: true });
}
