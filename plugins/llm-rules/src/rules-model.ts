import { setImmediate } from 'node:timers/promises';
import { TroveError } from '@trove/core';
import type {
  AnswerTask,
  Completion,
  CompletionRequest,
  LanguageModel,
  LanguageTask,
} from '@trove/core/model';
import { extractTriplets } from './extraction/extract-triplets.js';
import { quote } from './quotation/quote.js';

/** Other work runs before a longer text is read. */
const maxUninterruptedChars = 2000;

/** Finds the statements of sentences, and quotes sentences that match a question. It reads no prompts. */
export class RulesModel implements LanguageModel {
  /** Increment it when the same text yields another result, which invalidates caches. */
  readonly model = 'rules-2';
  readonly tasks = ['extract', 'answer'] as const;

  async complete({ task, signal }: CompletionRequest): Promise<Completion> {
    if (task?.kind === 'extract' && task.text.length > maxUninterruptedChars) await setImmediate();
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
