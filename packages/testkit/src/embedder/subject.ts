import type { Embedder, EmbedOptions } from '@trove/core';

/** What the embedder suite runs on. */
export interface EmbedderSubject {
  /** Makes a new embedder; the suite closes it. */
  readonly create: () => Promise<Embedder>;
}

export type EmbedderFault = 'auth' | 'quota' | 'unreachable';

/** For embedders that call a provider: the same, and how it is made to fail. */
export interface FaultyEmbedderSubject extends EmbedderSubject {
  /** An embedder whose provider refuses the key, says that the quota is used up, or cannot be reached. */
  readonly createFaulty: (fault: EmbedderFault) => Promise<Embedder>;
  /** A text that the provider refuses, among any others. */
  readonly refusedText: string;
  /** The key that the embedders are made with: it must never show. */
  readonly secret: string;
}

/** Runs with an embedder of its own, closed afterwards. */
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
