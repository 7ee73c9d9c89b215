import { TroveError, type JsonSchema } from '@trove/core';
import {
  defineLanguageModel,
  type Completion,
  type CompletionRequest,
  type ImagePart,
  type LanguageModel,
  type LanguageModelPlugin,
} from '@trove/core/model';
import { holdUntilReleased } from './held.js';
import { piecesOf } from './text-pieces.js';
import { throwFailure } from './provider-failure.js';

/** Faults of a memory language model, which tests may change at any time. */
export interface MemoryLanguageModelFaults {
  /** Fails every call in this way. */
  failure?: 'auth' | 'quota' | 'unreachable' | null;
  /** Refuses prompts that include this. */
  refuse?: string | null;
  /** Returns an empty answer to prompts that include this. */
  silence?: string | null;
  /** Answers wait for this. */
  hold?: Promise<void> | null;
}

export interface MemoryLanguageModelOptions {
  /** Default `memory`. */
  readonly model?: string;
  /** Returns the answer to a prompt text. Default: the prompt. */
  readonly answer?: (prompt: string) => string;
  readonly faults?: MemoryLanguageModelFaults;
}

/**
 * Repeats the last message, with images by their size. For a schema, returns its smallest value. Streams words.
 */
export class MemoryLanguageModel implements LanguageModel {
  readonly model: string;
  readonly faults: MemoryLanguageModelFaults;
  /** Every answered prompt in order. */
  readonly prompts: string[] = [];
  readonly #answer: (prompt: string) => string;

  constructor(options: MemoryLanguageModelOptions = {}) {
    this.model = options.model ?? 'memory';
    this.faults = options.faults ?? {};
    this.#answer = options.answer ?? ((prompt) => prompt);
  }

  async complete(request: CompletionRequest): Promise<Completion> {
    const completion = await this.#answerTo(request);
    for (const piece of request.onText === undefined ? [] : piecesOf(completion.text)) {
      request.signal.throwIfAborted();
      await request.onText?.(piece);
    }
    request.signal.throwIfAborted();
    return completion;
  }

  async #answerTo({
    messages,
    schema,
    maxTokens = Infinity,
    signal,
  }: CompletionRequest): Promise<Completion> {
    signal.throwIfAborted();
    await holdUntilReleased(this.faults.hold, signal);
    const prompt = textOf(messages.at(-1)?.content ?? '');
    this.#fail(prompt);
    this.prompts.push(prompt);
    if (schema !== undefined) return completed(prompt, JSON.stringify(smallest(schema)), false);
    const answer = this.#answer(prompt);
    const words = answer.split(/\s+/);
    const truncated = words.length > maxTokens;
    return completed(prompt, truncated ? words.slice(0, maxTokens).join(' ') : answer, truncated);
  }

  #fail(prompt: string): void {
    const { failure, refuse, silence } = this.faults;
    throwFailure(failure, 'llm');
    if (typeof refuse === 'string' && prompt.includes(refuse))
      throw new TroveError('validation_error', 'The prompt is refused.');
    if (typeof silence === 'string' && prompt.includes(silence))
      throw new TroveError('llm_answer_invalid', 'The model returned an empty answer.');
  }
}

/** Returns a language model plugin for the provider `memory`. All its models share the faults. */
export function memoryLanguageModel(options: MemoryLanguageModelOptions = {}): LanguageModelPlugin {
  return defineLanguageModel({
    keys: ['memory'],
    configSchema: { type: 'object', properties: {} },
    create: () => new MemoryLanguageModel(options),
  });
}

function textOf(content: CompletionRequest['messages'][number]['content']): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : imageText(part))).join(' ');
}

function imageText({ mediaType, bytes }: ImagePart): string {
  return `${mediaType} of ${bytes.length} bytes`;
}

/** A token is a word. */
function completed(prompt: string, text: string, truncated: boolean): Completion {
  const count = (words: string): number => words.split(/\s+/).length;
  return { text, truncated, usage: { input: count(prompt), output: count(text) } };
}

function smallest(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice !== undefined) return smallest(choice);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  switch (type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, smallest(schema.properties?.[name] ?? {})]),
      );
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => smallest(schema.items ?? {}));
    case 'string':
      return 'x'.repeat(schema.minLength ?? 0);
    case 'number':
    case 'integer':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    default:
      return null;
  }
}
