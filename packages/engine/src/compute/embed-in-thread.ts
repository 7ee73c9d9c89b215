import { isTroveError, messageOf, TroveError } from '@trove/core';
import { checkedVectors, loadComputingPlugin, type ComputingPlugin } from '@trove/runtime';
import type { Embed } from './analyse.js';

const limitMs = 120_000;

/** Embeds with an embedder of this thread's own. Every call says why it cannot be loaded. */
export function embedInThread(plugin: ComputingPlugin<'embedder'>, dimension: number): Embed {
  const loading = loadComputingPlugin(plugin).catch((error: unknown) => {
    throw unloaded(error);
  });
  loading.catch(() => undefined);
  const { signal } = new AbortController();
  return async (texts, terms) => {
    const guard = await loading;
    try {
      return await guard.call('embed', limitMs, signal, async (embedder) => {
        const vectors = await embedder.embed(texts, { purpose: 'document', terms, signal });
        return checkedVectors(vectors, texts.length, dimension);
      });
    } catch (error) {
      throw isTroveError(error) && error.code === 'internal_error' ? unexplained(error) : error;
    }
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
