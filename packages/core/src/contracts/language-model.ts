import type { Infer, JsonSchema } from '../schema.js';
import type { PluginBase, PluginContext } from './plugin.js';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface CompletionRequest {
  readonly messages: readonly ChatMessage[];
  /** When given, the answer is JSON that validates against this schema. */
  readonly schema?: JsonSchema;
  readonly maxTokens?: number;
  readonly signal: AbortSignal;
}

export interface LanguageModel {
  readonly model: string;
  complete(request: CompletionRequest): Promise<string>;
  close?(): Promise<void>;
}

/** A language model plugin; its key is the provider name. */
export interface LanguageModelPlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'language-model',
  S
> {
  readonly provider: string;
  create(context: PluginContext<Infer<S>>): LanguageModel | Promise<LanguageModel>;
}
