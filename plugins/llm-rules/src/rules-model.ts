import { TroveError } from '@trove/core';
import type {
  AnswerTask,
  Completion,
  CompletionRequest,
  LanguageModel,
  LanguageTask,
} from '@trove/core/model';
import { quote } from './quotation.js';
import { extractTriplets } from './triplets.js';

/** Finds the statements of sentences, and quotes sentences that match a question. It reads no prompts. */
export class RulesModel implements LanguageModel {
  /** Increment it when the same text yields another result, which invalidates caches. */
  readonly model = 'rules-1';
  readonly tasks = ['extract', 'answer'] as const;

  async complete({ task, signal }: CompletionRequest): Promise<Completion> {
    signal.throwIfAborted();
    const text = JSON.stringify(answerTo(task));
    return { text, truncated: false, usage: { input: 0, output: 0 } };
  }
}

function answerTo(task: LanguageTask | undefined): object {
  if (task?.kind === 'extract') return { triplets: extractTriplets(task.text, task.title) };
  if (task?.kind === 'answer') return answer(task);
  throw new TroveError(
    'not_supported',
    'The rules support only triplets and quotations, not prompts',
    {
      suggestions: ['Set `provider` in [llm] to `openai` or `ollama`.'],
    },
  );
}

function answer({ question, passages }: AnswerTask): object {
  const quoted = quote(question, passages);
  return { answer: quoted ?? '', found: quoted !== null };
}
