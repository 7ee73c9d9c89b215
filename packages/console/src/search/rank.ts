import type { ResultEnvelope } from '@trove/client';

type HitMetadata = ResultEnvelope['metadata'];

const reasons: Readonly<Record<string, string>> = {
  licence: 'it is a licence',
  changelog: 'it is a changelog',
  commit: 'it is a commit',
  fixture: 'it is a test fixture',
  generated: 'it is a generated file',
  log: 'it is a log',
  test: 'it is a test',
  vendored: 'it is third-party code',
};

/** Explains the position of a hit in sentences. */
export function explainRank({ scores, demoted_reason: demoted, also }: HitMetadata): string[] {
  const { dense, sparse, rerank } = scores;
  return [
    foundBy(dense, sparse),
    ...(rerank === null
      ? []
      : [`The reranking model gave it ${rerank.toFixed(3)}, which decides the order.`]),
    ...(demoted === null ? [] : [`It ranks lower because ${reasons[demoted] ?? demoted}.`]),
    ...(also.length === 0 ? [] : ['Other objects with the same text are shown as one hit.']),
  ];
}

function foundBy(dense: number | null, sparse: number | null): string {
  const words = sparse === null ? null : `words (BM25 score ${sparse.toFixed(2)})`;
  const meaning = dense === null ? null : `meaning (cosine similarity ${dense.toFixed(3)})`;
  const found = [words, meaning].filter((each) => each !== null);
  return found.length === 0
    ? 'This token does not see the scores of this passage.'
    : `It was found by its ${found.join(' and its ')}.`;
}
