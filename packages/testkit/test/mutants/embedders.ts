import { TroveError } from '@trove/core';
import type { EmbedOptions, Embedder } from '@trove/core/model';

import { MemoryEmbedder, type EmbedderFault } from '../../src/index.js';

export const refusedText = 'A text with REFUSED in it.';
export const secret = 'sk-canary-4711';

/** Returns a good embedder with a fault. */
export function goodEmbedder(fault?: EmbedderFault): MemoryEmbedder {
  return new MemoryEmbedder({ faults: { refuse: 'REFUSED', failure: fault ?? null } });
}

/** Returns embedders that are good except for `embed` or another member. */
function mutant(
  change: Partial<Embedder> | ((good: MemoryEmbedder) => Partial<Embedder>),
): () => Embedder {
  return () => {
    const good = goodEmbedder();
    const { model, dimension, nature } = good;
    return {
      model,
      dimension,
      nature,
      embed: (texts, options) => good.embed(texts, options),
      ...(typeof change === 'function' ? change(good) : change),
    };
  };
}

/** For each case, an embedder that fails only this case. */
export const embedderMutants: Readonly<Record<string, () => () => Embedder>> = {
  'names-itself': () => mutant({ model: ' ' }),
  'one-vector-per-text': () =>
    mutant((good) => ({ embed: (texts, options) => good.embed([...new Set(texts)], options) })),
  'nothing-for-nothing': () =>
    mutant((good) => ({
      embed: (texts, options) => good.embed(texts.length === 0 ? [''] : texts, options),
    })),
  'stated-dimension': () => mutant({ dimension: 65 }),
  'unit-length': () =>
    mutant((good) => ({
      embed: async (texts, options) => {
        const vectors = await good.embed(texts, options);
        return vectors.map((vector, at) =>
          texts[at]?.endsWith('.') === true ? vector.map((value) => value * 2) : vector,
        );
      },
    })),
  'in-order': () =>
    mutant((good) => ({
      embed: ([first = '', second, ...rest], options) =>
        good.embed(
          second === undefined ? [first].filter(Boolean) : [second, first, ...rest],
          options,
        ),
    })),
  'known-terms': () =>
    mutant((good) => ({
      embed: (texts, options) =>
        good.embed(options.terms?.map((terms) => terms.join(' ')) ?? texts, options),
    })),
  repeatable: () => {
    let made = 0;
    return mutant((good) => {
      const turn = made++;
      return {
        embed: async (texts, options) =>
          (await good.embed(texts, options)).map((vector) => rotated(vector, turn)),
      };
    });
  },
  'odd-texts': () =>
    mutant((good) => ({
      embed: async (texts, options) =>
        (await good.embed(texts, options)).map((vector, at) =>
          /[\p{L}\p{N}]/u.test(texts[at] ?? '') ? vector : vector.fill(0),
        ),
    })),
  'large-batch': () =>
    mutant((good) => ({ embed: (texts, options) => good.embed(texts.slice(0, 256), options) })),
  'question-finds-text': () =>
    mutant((good) => ({
      embed: (texts, options) =>
        good.embed(
          options.purpose === 'query' ? texts.map(() => 'the cat sat on the mat') : texts,
          options,
        ),
    })),
  'concurrent-calls': () =>
    mutant((good) => {
      let current: readonly string[] = [];
      return {
        embed: async (texts, options) => {
          current = texts;
          await good.embed(texts, options);
          return good.embed(current, options);
        },
      };
    }),
  'aborted-before': () =>
    mutant((good) => ({
      embed: (texts, options) =>
        good.embed(texts, { ...options, signal: new AbortController().signal }),
    })),
  'aborted-during': () =>
    mutant((good) => ({ embed: (texts, options) => neverAfterAbort(good, texts, options) })),
  'training-is-deterministic': () => {
    let learned = 0;
    return mutant({ train: async () => Uint8Array.of(learned++) });
  },
  'embeds-with-trained-state': () =>
    mutant((good) => ({
      train: async () => Uint8Array.of(1),
      embed: async (texts, options) => {
        const vectors = await good.embed(texts, options);
        return options.trainedState === undefined
          ? vectors
          : vectors.map((vector) => vector.map((value) => 2 * value));
      },
    })),
  'closed-twice': () =>
    mutant(() => {
      let closed = false;
      return {
        close: async () => {
          if (closed) throw new Error('closed already');
          closed = true;
        },
      };
    }),
};

async function neverAfterAbort(
  good: Embedder,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<Float32Array[]> {
  options.signal.throwIfAborted();
  try {
    return await good.embed(texts, options);
  } catch {
    return new Promise(() => {});
  }
}

function rotated(vector: Float32Array, by: number): Float32Array {
  return vector.map((_, at) => vector[(at + by) % vector.length] ?? 0);
}

/** Replaces the error of a good embedder. */
function failing(change: (error: TroveError) => Error): (fault?: EmbedderFault) => Embedder {
  return (fault) =>
    mutant(() => ({
      embed: async (texts, options) => {
        try {
          return await goodEmbedder(fault).embed(texts, options);
        } catch (error) {
          throw error instanceof TroveError ? change(error) : error;
        }
      },
    }))();
}

/** For each fault case, an embedder that fails only this case. */
export const embedderFaultMutants: Readonly<Record<string, (fault?: EmbedderFault) => Embedder>> = {
  'auth-failed': failing((error) =>
    error.code === 'embedding_auth_failed' ? new TroveError('config_invalid', 'Refused.') : error,
  ),
  'quota-exceeded': failing((error) =>
    error.code === 'embedding_quota_exceeded'
      ? new TroveError(error.code, 'Used up.', { retryable: true })
      : error,
  ),
  unreachable: failing((error) =>
    error.code === 'embedding_unavailable' ? new TroveError(error.code, 'Not there.') : error,
  ),
  'refused-text': failing((error) =>
    error.code === 'validation_error' ? new TroveError('embedding_auth_failed', 'Refused.') : error,
  ),
  'neighbours-of-refused-text': (fault) => {
    let broken = false;
    return mutant(() => ({
      embed: async (texts, options) => {
        if (broken) throw new TroveError('validation_error', 'Still broken.');
        broken = texts.includes(refusedText);
        return goodEmbedder(fault).embed(texts, options);
      },
    }))();
  },
  'keeps-its-secret': failing(
    (error) =>
      new TroveError(error.code, error.detail, {
        retryable: error.retryable,
        cause: { headers: [secret] },
      }),
  ),
};
