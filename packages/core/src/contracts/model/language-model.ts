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
  /** A text, or parts of which some are images. */
  readonly content: string | readonly (TextPart | ImagePart)[];
}

export interface CompletionRequest {
  readonly messages: readonly ChatMessage[];
  /** The answer is to be JSON that validates against this schema; whoever asks checks that it does. */
  readonly schema?: JsonSchema;
  /** What the messages ask for, as data; the schema is then that of `taskAnswers`. */
  readonly task?: LanguageTask;
  /** Maximum length of the answer, in tokens; by default the model's own. */
  readonly maxTokens?: number;
  readonly signal: AbortSignal;
}

/** Number of tokens that a call took. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
}

/** What several calls took. */
export interface ModelUsage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface Completion {
  /** Not blank. */
  readonly text: string;
  /** The text stops where `maxTokens` were spent; never for a request with a schema, which then fails. */
  readonly truncated: boolean;
  /** Null when the provider does not say. */
  readonly usage: TokenUsage | null;
}

/** Answers prompts, or serves tasks without reading any. */
export interface LanguageModel {
  /** Identifies the model and its version: answers of another model are not taken for its own. */
  readonly model: string;
  /**
   * For a model that reads no prompts: the kinds of tasks that it serves; it looks at nothing else in a request, its calls
   * cost no tokens, and its answers are computed rather than remembered. Without this, it answers prompts of any kind.
   */
  readonly tasks?: readonly LanguageTaskKind[];
  /**
   * Throws `llm_auth_failed`, `llm_quota_exceeded` or `config_invalid` when further calls are pointless, a retryable error
   * when a retry may succeed, `llm_answer_invalid` when the model answers but not usably, `validation_error` when it
   * refuses this prompt, and `not_supported` for what is none of its `tasks`.
   */
  complete(request: CompletionRequest): Promise<Completion>;
  close?(): Promise<void>;
}

/** A language model plugin; its keys are provider names. */
export interface LanguageModelPlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'language-model',
  S
> {
  create(context: PluginContext<Infer<S>>): LanguageModel | Promise<LanguageModel>;
}
