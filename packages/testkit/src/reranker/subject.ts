import type { Reranker } from '@trove/core/model';

/** What the reranker suite runs on. */
export interface RerankerSubject {
  /** Creates a new reranker; the suite closes it. */
  readonly create: () => Promise<Reranker>;
}

export type RerankerFault = 'auth' | 'quota' | 'unreachable';

/** For rerankers that call a provider: also how to make it fail. */
export interface FaultyRerankerSubject extends RerankerSubject {
  /** A reranker whose provider rejects the key, reports an exhausted quota, or cannot be reached. */
  readonly createFaulty: (fault: RerankerFault) => Promise<Reranker>;
  /** A text that the provider refuses, even among others. */
  readonly refusedText: string;
  /** The key that the rerankers are created with, which must never be revealed. */
  readonly secret: string;
}

/** Runs with a new reranker, closed afterwards. */
export async function withReranker(
  make: () => Promise<Reranker>,
  run: (reranker: Reranker) => Promise<void>,
): Promise<void> {
  const reranker = await make();
  try {
    await run(reranker);
  } finally {
    await reranker.close?.();
  }
}

export function rerankOptions(signal: AbortSignal = new AbortController().signal): {
  readonly signal: AbortSignal;
} {
  return { signal };
}
