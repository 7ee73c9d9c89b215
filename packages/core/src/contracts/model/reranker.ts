import type { Infer, JsonSchema } from '../../schema.js';
import type { PluginBase, PluginContext } from '../plugin.js';

/** Judges how well texts answer a question: a second look at the best hits of a search. */
export interface Reranker {
  /** Names the model. */
  readonly model: string;
  /**
   * One finite number per text, in their order: the higher, the better it answers; numbers of different calls are not
   * compared. Throws `llm_auth_failed`, `llm_quota_exceeded` or `config_invalid` when further calls are pointless, a
   * retryable error when a retry may succeed, `validation_error` when it refuses these texts, and the signal's reason.
   */
  rerank(
    question: string,
    texts: readonly string[],
    options: { readonly signal: AbortSignal },
  ): Promise<readonly number[]>;
  close?(): Promise<void>;
}

/** A reranker plugin; its keys are provider names. */
export interface RerankerPlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'reranker',
  S
> {
  create(context: PluginContext<Infer<S>>): Reranker | Promise<Reranker>;
}
