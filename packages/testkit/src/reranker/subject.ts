import type { Reranker } from '@trove/core/model';

/** The subject of the reranker suite. */
export interface RerankerSubject {
  /** Creates a reranker, which the suite closes. */
  readonly create: () => Promise<Reranker>;
}

export type RerankerFault = 'auth' | 'quota' | 'unreachable';

/** For rerankers that call a provider, with ways to make it fail. */
export interface FaultyRerankerSubject extends RerankerSubject {
  /** Creates a reranker whose provider rejects the key, reports an exhausted quota, or is unreachable. */
  readonly createFaulty: (fault: RerankerFault) => Promise<Reranker>;
  /** A text that the provider refuses, even among others. */
  readonly refusedText: string;
  /** The key of the rerankers, which must never be revealed. */
  readonly secret: string;
}

/** Runs with a new reranker and closes it afterwards. */
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
