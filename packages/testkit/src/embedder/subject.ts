import type { Embedder, EmbedOptions } from '@trove/core/model';

/** The subject of the embedder suite. */
export interface EmbedderSubject {
  /** Creates an embedder, which the suite closes. */
  readonly create: () => Promise<Embedder>;
}

export type EmbedderFault = 'auth' | 'quota' | 'unreachable';

/** For embedders that call a provider, with ways to make it fail. */
export interface FaultyEmbedderSubject extends EmbedderSubject {
  /** Creates an embedder whose provider rejects the key, reports an exhausted quota, or is unreachable. */
  readonly createFaulty: (fault: EmbedderFault) => Promise<Embedder>;
  /** A text that the provider refuses, even among others. */
  readonly refusedText: string;
  /** The key of the embedders, which must never be revealed. */
  readonly secret: string;
}

/** Runs with a new embedder and closes it afterwards. */
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
