import { TroveApiError, type BatchedSearch, type ResultEnvelope } from '@trove/client';

import type { Cli } from '../session/cli.js';
import { judge, type Judgement } from './figures.js';
import type { Question } from './questions-file.js';
import { isSameTarget, isWanted } from './wanted.js';

export const searchModes = ['hybrid', 'semantic', 'keyword'] as const;
export type SearchMode = (typeof searchModes)[number];

/** Maximum number of searches in one request. */
const batchSize = 20;
/** Additional hits, because hits in the questions themselves do not count. */
const spareHits = 5;

/** A question with its hits in one mode. */
export interface AnsweredQuestion extends Judgement {
  readonly question: Question;
  readonly hits: readonly ResultEnvelope[];
}

/** The parameters of the searches. `file` is the target of the questions, whose hits are left out. */
export interface EvaluationQuery extends Omit<BatchedSearch, 'q' | 'top_k'> {
  readonly file: string;
  readonly top_k: number;
}

/** Runs all questions in one mode. Throws the first error. */
export async function runQuestions(
  cli: Cli,
  questions: readonly Question[],
  { file, ...query }: EvaluationQuery,
): Promise<AnsweredQuestion[]> {
  const top_k = query.top_k + spareHits;
  const answered: AnsweredQuestion[] = [];
  for (let at = 0; at < questions.length; at += batchSize) {
    const batch = questions.slice(at, at + batchSize);
    const { results } = await cli.client.retrieval.searchBatch({
      body: { queries: batch.map(({ text }) => ({ ...query, top_k, q: text })) },
    });
    for (const [index, question] of batch.entries()) {
      const result = results[index];
      if (result === undefined) throw new Error('The server answered with too few results');
      // Errors are the same for all questions, because they concern the options.
      if (!result.ok) throw new TroveApiError({ status: 0, ...result.error });
      const hits = result.value.results.filter(({ source }) => !isSameTarget(source, file));
      answered.push(answerOf(question, hits.slice(0, query.top_k)));
    }
  }
  return answered;
}

function answerOf(question: Question, hits: readonly ResultEnvelope[]): AnsweredQuestion {
  const matches = hits.map((hit) =>
    question.wanted.flatMap((wanted, at) => (isWanted(hit, wanted) ? [at] : [])),
  );
  return { question, hits, ...judge(matches, question.wanted.length) };
}
