import { TroveError } from '@trove/core';
import type { Completion, CompletionRequest, LanguageModel } from '@trove/core/model';

import { MemoryLanguageModel, MemoryTaskModel, type LanguageModelFault } from '../../src/index.js';

export const refusedPrompt = 'A prompt with REFUSED in it.';
export const silencingPrompt = 'A prompt with SILENCE in it.';
export const secret = 'sk-canary-4711';

/** Returns a good model with a fault. */
export function goodModel(fault?: LanguageModelFault): MemoryLanguageModel {
  return new MemoryLanguageModel({
    faults: { refuse: 'REFUSED', silence: 'SILENCE', failure: fault ?? null },
  });
}

type Complete = LanguageModel['complete'];

/** Returns models that are good except for `complete` or another member. */
function mutant(
  change: Partial<LanguageModel> | ((good: Complete) => Partial<LanguageModel>),
): () => LanguageModel {
  return () => {
    const good = goodModel();
    const complete: Complete = (request) => good.complete(request);
    return {
      model: good.model,
      complete,
      ...(typeof change === 'function' ? change(complete) : change),
    };
  };
}

/** Changes every answer. */
function answering(
  change: (completion: Completion, request: CompletionRequest) => Completion,
): () => LanguageModel {
  return mutant((good) => ({
    complete: async (request) => change(await good(request), request),
  }));
}

/** Returns task models that are good except for one member. */
function taskMutant(
  change: Partial<LanguageModel> | ((good: Complete) => Partial<LanguageModel>),
): () => LanguageModel {
  return () => {
    const good = new MemoryTaskModel();
    const complete: Complete = (request) => good.complete(request);
    const { model, tasks } = good;
    return {
      model,
      tasks,
      complete,
      ...(typeof change === 'function' ? change(complete) : change),
    };
  };
}

/** For each case, a model that fails only this case. */
export const languageModelMutants: Readonly<Record<string, () => LanguageModel>> = {
  'names-itself': taskMutant({ model: ' ' }),
  'names-its-tasks': taskMutant({ tasks: ['extract', 'answer', 'answer'] }),
  'serves-tasks': taskMutant((good) => ({
    complete: async (request) => ({
      ...(await good(request)),
      ...(request.task?.kind === 'extract' ? { text: '{"triplets":[{"subject":"Ada"}]}' } : {}),
    }),
  })),
  'keeps-tasks-apart': taskMutant((good) => mixingUp(good)),
  'odd-tasks': taskMutant((good) => ({
    complete: async (request) => {
      if (!JSON.stringify([request.task]).includes('\\ud800')) return good(request);
      throw new Error('half a character');
    },
  })),
  'refuses-other-tasks': taskMutant((good) => ({
    complete: async (request) =>
      request.task === undefined
        ? { text: 'teapot', truncated: false, usage: null }
        : good(request),
  })),
  'pieces-are-the-answer': taskMutant((good) => ({
    complete: async (request) => {
      await request.onText?.('Well, ');
      return good(request);
    },
  })),
  'aborted-before': taskMutant((good) => ({
    complete: (request) => good({ ...request, signal: new AbortController().signal }),
  })),
  'aborted-during': taskMutant((good) => ({
    complete: async (request) => {
      request.signal.throwIfAborted();
      // Lets the abort come before the answer.
      await Promise.resolve();
      return request.signal.aborted ? new Promise(() => {}) : good(request);
    },
  })),
  'closed-twice': taskMutant(() => {
    let closed = false;
    return {
      close: async () => {
        if (closed) throw new Error('closed already');
        closed = true;
      },
    };
  }),
};

function mixingUp(good: Complete): Partial<LanguageModel> {
  let current: CompletionRequest;
  return {
    complete: async (request) => {
      current = request;
      await good(request);
      return good(current);
    },
  };
}

/** Like `languageModelMutants`, for models that read prompts. */
export const languageModelChatMutants: Readonly<Record<string, () => LanguageModel>> = {
  'answers-the-prompt': mutant((good) => ({
    complete: ({ messages: [first, second = first, ...others], ...request }) =>
      good({ ...request, messages: [first, second].flatMap((message) => message ?? others) }),
  })),
  'takes-parts': mutant((good) => ({
    complete: (request) =>
      good({
        ...request,
        messages: request.messages.map((message) => ({
          ...message,
          content:
            typeof message.content === 'string'
              ? message.content
              : [...message.content].slice(0, 1),
        })),
      }),
  })),
  'answers-by-schema': answering((completion, { schema }) =>
    schema === undefined ? completion : { ...completion, text: '{"colour":"mauve","reasons":[]}' },
  ),
  'keeps-to-the-limit': mutant((good) => ({
    complete: ({ maxTokens: _ignored, ...request }) => good(request),
  })),
  'counts-tokens': answering((completion) => ({ ...completion, usage: { input: 1.5, output: 0 } })),
  'odd-texts': mutant((good) => ({
    complete: async (request) => {
      if (/\p{Surrogate}/u.test(JSON.stringify(request.messages).replaceAll('\\ud800', '\ud800')))
        throw new Error('half a character');
      return good(request);
    },
  })),
  'concurrent-calls': mutant((good) => mixingUp(good)),
};

/** Like `languageModelMutants`, for models that understand images. */
export const languageModelImageMutants: Readonly<Record<string, () => LanguageModel>> = {
  'takes-images': mutant((good) => ({
    complete: async (request) => {
      const isSeen = request.messages.some(
        ({ content }) =>
          typeof content !== 'string' && content.some(({ type }) => type === 'image'),
      );
      if (isSeen) throw new TroveError('validation_error', 'What is an image?');
      return good(request);
    },
  })),
};

/** Replaces the error of a good model. */
function failing(
  change: (error: TroveError) => Error,
): (fault?: LanguageModelFault) => LanguageModel {
  return (fault) =>
    mutant({
      complete: async (request) => {
        try {
          return await goodModel(fault).complete(request);
        } catch (error) {
          throw error instanceof TroveError ? change(error) : error;
        }
      },
    })();
}

/** For each fault case, a model that fails only this case. */
export const languageModelFaultMutants: Readonly<
  Record<string, (fault?: LanguageModelFault) => LanguageModel>
> = {
  'auth-failed': failing((error) =>
    error.code === 'llm_auth_failed' ? new TroveError('config_invalid', 'Refused.') : error,
  ),
  'quota-exceeded': failing((error) =>
    error.code === 'llm_quota_exceeded'
      ? new TroveError(error.code, 'Used up.', { retryable: true })
      : error,
  ),
  unreachable: failing((error) =>
    error.code === 'llm_unavailable' ? new TroveError(error.code, 'Not there.') : error,
  ),
  'refused-prompt': failing((error) =>
    error.code === 'validation_error' ? new TroveError('llm_auth_failed', 'Refused.') : error,
  ),
  'works-after-refusal': (fault) => {
    let broken = false;
    return mutant({
      complete: async (request) => {
        if (broken) throw new TroveError('validation_error', 'Still broken.');
        broken = request.messages.some(({ content }) => content === refusedPrompt);
        return goodModel(fault).complete(request);
      },
    })();
  },
  'no-answer': failing((error) =>
    error.code === 'llm_answer_invalid' ? new TroveError('validation_error', 'Nothing.') : error,
  ),
  'keeps-its-secret': failing(
    (error) =>
      new TroveError(error.code, error.detail, {
        retryable: error.retryable,
        cause: { headers: [secret] },
      }),
  ),
};

/** Like `languageModelMutants`, for models that stream their answers. */
export const languageModelStreamMutants: Readonly<Record<string, () => LanguageModel>> = {
  'streams-its-answer': mutant((good) => ({
    complete: async ({ onText, ...request }) => {
      const completion = await good(request);
      await onText?.(completion.text);
      request.signal.throwIfAborted();
      return completion;
    },
  })),
  'streams-json': mutant((good) => ({
    complete: async (request) => {
      if (request.schema !== undefined) await request.onText?.('```json\n');
      return good(request);
    },
  })),
  'waits-for-its-reader': mutant((good) => ({
    complete: (request) => good({ ...request, onText: (piece) => void request.onText?.(piece) }),
  })),
  'stops-with-its-reader': mutant((good) => ({
    complete: (request) =>
      good({
        ...request,
        onText: async (piece) => {
          try {
            await request.onText?.(piece);
          } catch {
            // Continues without a reader.
          }
        },
      }),
  })),
  'aborted-while-streaming': mutant((good) => ({
    complete: (request) => good({ ...request, signal: new AbortController().signal }),
  })),
};
