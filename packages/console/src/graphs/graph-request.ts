import type { GraphQueryRequest } from '@trove/client';
import { hrefOf, type RouteValues } from '../route.js';

/** A question as the address states it. Empty values are defaults. */
export interface GraphQuestion {
  readonly graph: string;
  readonly question: string;
  readonly passages: string;
  readonly hops: string;
  readonly filter: string;
  readonly ranks: boolean;
}

export function readGraphQuestion(params: URLSearchParams): GraphQuestion {
  const valueOf = (name: string): string => params.get(name) ?? '';
  return {
    graph: valueOf('graph'),
    question: valueOf('question'),
    passages: valueOf('passage_top_k'),
    hops: valueOf('expansion_degree'),
    filter: valueOf('filter'),
    ranks: valueOf('use_reranking') !== 'false',
  };
}

export function graphHref({
  graph,
  question,
  passages,
  hops,
  filter,
  ranks,
}: GraphQuestion): string {
  const values: RouteValues = {
    graph,
    question,
    passage_top_k: passages,
    expansion_degree: hops,
    filter,
    use_reranking: ranks ? '' : 'false',
  };
  return hrefOf('graphs', values);
}

/** Returns a question with the default options. */
export function simpleQuestion(graph: string, question = ''): GraphQuestion {
  return { graph, question, passages: '', hops: '', filter: '', ranks: true };
}

export function graphRequestOf({
  question,
  passages,
  hops,
  filter,
  ranks,
}: GraphQuestion): GraphQueryRequest {
  return {
    question,
    use_reranking: ranks,
    ...(passages === '' ? {} : { passage_top_k: Number(passages) }),
    ...(hops === '' ? {} : { expansion_degree: Number(hops) }),
    ...(filter === '' ? {} : { filter }),
  };
}
