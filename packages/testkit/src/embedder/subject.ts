import type { Embedder, EmbedOptions } from '@trove/core/model';

/** What the embedder suite runs on. */
export interface EmbedderSubject {
  /** Creates a new embedder; the suite closes it. */
  readonly create: () => Promise<Embedder>;
}

export type EmbedderFault = 'auth' | 'quota' | 'unreachable';

/** For embedders that call a provider: also how to make it fail. */
export interface FaultyEmbedderSubject extends EmbedderSubject {
  /** An embedder whose provider rejects the key, reports an exhausted quota, or cannot be reached. */
  readonly createFaulty: (fault: EmbedderFault) => Promise<Embedder>;
  /** A text that the provider refuses, even among others. */
  readonly refusedText: string;
  /** The key that the embedders are created with, which must never be revealed. */
  readonly secret: string;
}

/** Runs with a new embedder, closed afterwards. */
export async function withEmbedder(
  make: () => Promise<Embedder>,
  run: (embedder: Embedder) => Promise<void>,
): Promise<void> {
  const embedder = await make();
  try {
    await run(embedder);
  } finally {
    await embedder.close?.();
  }
}

export function options(
  purpose: EmbedOptions['purpose'] = 'document',
  signal: AbortSignal = new AbortController().signal,
): EmbedOptions {
  return { purpose, signal };
}
