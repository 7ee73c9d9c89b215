import { TroveError } from '@trove/core';
import {
  defineLanguageModel,
  type Completion,
  type CompletionRequest,
  type LanguageModel,
  type LanguageModelPlugin,
  type LanguageTask,
} from '@trove/core/model';

const names = /\p{Lu}[\p{L}\p{M}\p{N}]*(?: \p{Lu}[\p{L}\p{M}\p{N}]*)*/gu;
const sentenceEnd = /(?<=[.!?])\s+|\n+/u;
const longWord = /[\p{L}\p{N}]{4,}/gu;

/** Reads no prompts. Extracts two names per sentence, and answers with sentences that share words with the question. */
export class MemoryTaskModel implements LanguageModel {
  readonly model = 'memory-tasks';
  readonly tasks = ['extract', 'answer'] as const;

  async complete({ task, signal }: CompletionRequest): Promise<Completion> {
    signal.throwIfAborted();
    const text = JSON.stringify(answerTo(task));
    return { text, truncated: false, usage: { input: 0, output: 0 } };
  }
}

/** Returns a language model plugin for the provider `memory-tasks`. */
export function memoryTaskModel(): LanguageModelPlugin {
  return defineLanguageModel({
    keys: ['memory-tasks'],
    configSchema: { type: 'object', properties: {} },
    create: () => new MemoryTaskModel(),
  });
}

function answerTo(task: LanguageTask | undefined): object {
  switch (task?.kind) {
    case 'extract':
      return { triplets: task.text.split(sentenceEnd).flatMap(statement) };
    case 'answer':
      return answer(task);
    case 'rank':
    case undefined:
      throw new TroveError(
        'not_supported',
        'This model only extracts triplets and quotes sentences.',
      );
  }
}

function statement(sentence: string): object[] {
  const [first, second] = sentence.matchAll(names);
  if (first === undefined || second === undefined) return [];
  const predicate = sentence.slice(first.index + first[0].length, second.index).trim();
  return [{ subject: first[0], predicate, object: second[0] }];
}

function answer({ question, passages }: Extract<LanguageTask, { kind: 'answer' }>): object {
  const words = question.toLowerCase().match(longWord) ?? [];
  const quoted = passages.flatMap(({ text }, at) =>
    text
      .split(sentenceEnd)
      .filter((sentence) => words.some((word) => sentence.toLowerCase().includes(word)))
      .map((sentence) => `${sentence.replaceAll(/[[\]]/g, '')} [${at + 1}]`),
  );
  return { answer: quoted.join(' '), found: quoted.length > 0 };
}
