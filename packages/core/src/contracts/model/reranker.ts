import type { Infer, JsonSchema } from '../../schema.js';
import type { PluginBase, PluginContext } from '../plugin.js';

/** Scores how well texts answer a question, to reorder the best hits of a search. */
export interface Reranker {
  /** The name of the model. */
  readonly model: string;
  /**
   * Returns one finite number per text, in order. A higher number is a better answer. Numbers of different calls are
   * not comparable. Throws `llm_auth_failed`, `llm_quota_exceeded` or `config_invalid` if further calls are pointless,
   * and a retryable error if a retry may succeed. Throws `validation_error` if the model refuses these texts, and the
   * signal's reason.
   */
  rerank(
    question: string,
    texts: readonly string[],
    options: { readonly signal: AbortSignal },
  ): Promise<readonly number[]>;
  close?(): Promise<void>;
}

/** A reranker plugin. Its keys are provider names. */
export interface RerankerPlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'reranker',
  S
> {
  create(context: PluginContext<Infer<S>>): Reranker | Promise<Reranker>;
}
