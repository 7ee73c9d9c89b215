/** A form of `POST /rerank`. */
export interface RerankDialect {
  readonly body: (question: string, texts: readonly string[]) => object;
  /** Returns the list of results in an answer. Other values are rejected. */
  readonly items: (answer: unknown) => unknown;
  /** The property of a result with its score. */
  readonly score: string;
}

/** Cohere's form, also used by Jina, vLLM, llama.cpp, LiteLLM and Infinity. */
export function cohere(model: string): RerankDialect {
  return {
    body: (query, documents) => ({ model, query, documents, top_n: documents.length }),
    items: (answer) => member(answer, 'results'),
    score: 'relevance_score',
  };
}

/** The form of Text Embeddings Inference. It truncates texts that exceed the model's limit. */
export const tei: RerankDialect = {
  body: (query, texts) => ({ query, texts, truncate: true }),
  items: (answer) => answer,
  score: 'score',
};

export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
