/** A form of `POST /rerank`. */
export interface RerankDialect {
  readonly body: (question: string, texts: readonly string[]) => object;
  /** The list in an answer; whatever is no list is refused. */
  readonly items: (answer: unknown) => unknown;
  /** The member of an item with the number. */
  readonly score: string;
}

/** Cohere's, spoken by Jina, vLLM, llama.cpp, LiteLLM and Infinity, too. */
export function cohere(model: string): RerankDialect {
  return {
    body: (query, documents) => ({ model, query, documents, top_n: documents.length }),
    items: (answer) => member(answer, 'results'),
    score: 'relevance_score',
  };
}

/** That of Text Embeddings Inference. It cuts texts that its model cannot read whole. */
export const tei: RerankDialect = {
  body: (query, texts) => ({ query, texts, truncate: true }),
  items: (answer) => answer,
  score: 'score',
};

export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
