import type { Infer, JsonSchema } from '../../schema.js';
import type { LanguageTask, LanguageTaskKind } from './language-task.js';
import type { PluginBase, PluginContext } from '../plugin.js';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface ImagePart {
  readonly type: 'image';
  /** `image/png`, `image/jpeg`, `image/gif` or `image/webp`. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  /** A text, or a list of texts and images. */
  readonly content: string | readonly (TextPart | ImagePart)[];
}

export interface CompletionRequest {
  readonly messages: readonly ChatMessage[];
  /** Requires an answer in JSON that matches this schema. The caller validates the answer. */
  readonly schema?: JsonSchema;
  /** The same request as data. `schema` is then the one in `taskSchemas`. */
  readonly task?: LanguageTask;
  /** Maximum length of the answer, in tokens. Default: the model's own. */
  readonly maxTokens?: number;
  /**
   * Receives the answer in pieces while the model writes it. The joined pieces are the `text` of the completion. The
   * pieces of a failed call are void. A model waits for the promise before it reads on, and ends the call with an error
   * that this function throws. A model that cannot stream ignores it.
   */
  readonly onText?: (piece: string) => void | Promise<void>;
  readonly signal: AbortSignal;
}

/** The tokens of one call. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
}

/** The usage of several calls. */
export interface ModelUsage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface Completion {
  /** Not blank. */
  readonly text: string;
  /** The answer reached `maxTokens`. Never true for a request with a schema, which fails instead. */
  readonly truncated: boolean;
  /** Null if the provider does not report it. */
  readonly usage: TokenUsage | null;
}

/** Answers prompts, or performs tasks without reading prompts. */
export interface LanguageModel {
  /** Identifies the model and its version. Stored answers are reused only for the same model. */
  readonly model: string;
  /**
   * For a model that reads no prompts: the kinds of tasks that it performs. It reads only `task` of a request. Its
   * calls cost no tokens, and its answers are not cached. Undefined: the model answers any prompt.
   */
  readonly tasks?: readonly LanguageTaskKind[];
  /**
   * Returns the answer to a prompt or task. Throws `llm_auth_failed`, `llm_quota_exceeded` or `config_invalid` if
   * further calls are pointless, and a retryable error if a retry may succeed. Throws `llm_answer_invalid` for an
   * unusable answer, `validation_error` if the model refuses the prompt, and `not_supported` for a task that is not in
   * `tasks`.
   */
  complete(request: CompletionRequest): Promise<Completion>;
  close?(): Promise<void>;
}

/** A language model plugin. Its keys are provider names. */
export interface LanguageModelPlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'language-model',
  S
> {
  create(context: PluginContext<Infer<S>>): LanguageModel | Promise<LanguageModel>;
}
