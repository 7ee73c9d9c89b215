import { TroveError } from '@trove/core';
import type { Reranker } from '@trove/core/model';

import { MemoryReranker, type RerankerFault } from '../../src/index.js';

export const refusedText = 'A text with REFUSED in it.';
export const secret = 'sk-canary-4712';

/** Returns a good reranker with a fault. */
export function goodReranker(fault?: RerankerFault): MemoryReranker {
  return new MemoryReranker({ refuse: 'REFUSED', failure: fault ?? null });
}

type Rerank = Reranker['rerank'];

/** Returns rerankers that are good except for `rerank` or another member. */
function mutant(change: Partial<Reranker> | ((good: Rerank) => Partial<Reranker>)): () => Reranker {
  return () => {
    const good = goodReranker();
    const rerank: Rerank = (...call) => good.rerank(...call);
    return {
      model: good.model,
      rerank,
      ...(typeof change === 'function' ? change(rerank) : change),
    };
  };
}

/** For each case, a reranker that fails only this case. */
export const rerankerMutants: Readonly<Record<string, () => () => Reranker>> = {
  'names-itself': () => mutant({ model: ' ' }),
  'answering-text': () =>
    mutant((good) => ({
      rerank: async (question, texts, options) => {
        const scores = await good(question, texts, options);
        // Prefers the first text.
        return texts[0]?.startsWith('Quarterly') === true
          ? scores.map((score, at) => (at === 0 ? 100 : score))
          : scores;
      },
    })),
  'nothing-for-nothing': () =>
    mutant((good) => ({
      rerank: (question, texts, options) =>
        good(question, texts.length === 0 ? [''] : texts, options),
    })),
  'odd-texts': () =>
    mutant((good) => ({
      rerank: async (question, texts, options) => {
        const scores = await good(question, texts, options);
        return scores.map((score, at) => (texts[at] === '' ? NaN : score));
      },
    })),
  'many-texts': () =>
    mutant((good) => ({
      rerank: async (question, texts, options) => {
        const scores = await good(question, texts.slice(0, 50), options);
        return texts.map((_, at) => scores[at] ?? 0);
      },
    })),
  'concurrent-calls': () => {
    let asked: readonly string[] = [];
    return mutant((good) => ({
      rerank: async (question, texts, options) => {
        asked = texts;
        await Promise.resolve();
        const scores = await good(question, asked, options);
        return texts.map((_, at) => scores[at] ?? 0);
      },
    }));
  },
  'aborted-before': () =>
    mutant((good) => ({
      rerank: (question, texts, { signal }) =>
        good(question, texts, { signal: signal.aborted ? new AbortController().signal : signal }),
    })),
  'aborted-during': () =>
    mutant((good) => {
      let broken = false;
      return {
        rerank: async (question, texts, { signal }) => {
          if (broken) throw new Error('the connection is gone');
          signal.addEventListener('abort', () => (broken = true));
          return good(question, texts, { signal });
        },
      };
    }),
  'closed-twice': () => {
    return () => {
      const good = goodReranker();
      let isClosed = false;
      return {
        model: good.model,
        rerank: (...call) => good.rerank(...call),
        close: async () => {
          if (isClosed) throw new Error('closed already');
          isClosed = true;
        },
      };
    };
  },
};

/** Like `rerankerMutants`, for the cases of a failing provider. */
export const rerankerFaultMutants: Readonly<Record<string, (fault?: RerankerFault) => Reranker>> = {
  'auth-failed': throwing('auth', new TroveError('llm_unavailable', 'The key is refused.')),
  'quota-exceeded': throwing('quota', new TroveError('llm_unavailable', 'No quota.')),
  unreachable: throwing('unreachable', new TroveError('llm_unavailable', 'No answer.')),
  'refused-text': (fault) => {
    const good = goodReranker(fault);
    return {
      model: good.model,
      rerank: async (question, texts, options) => {
        const isRefused = texts.includes(refusedText);
        if (isRefused) throw new TroveError('llm_unavailable', 'A text is refused.');
        return good.rerank(question, texts, options);
      },
    };
  },
  'keeps-its-secret': throwing(
    'unreachable',
    new TroveError('llm_unavailable', `No answer for ${secret}.`, { retryable: true }),
  ),
};

function throwing(when: RerankerFault, error: TroveError): (fault?: RerankerFault) => Reranker {
  return (fault) => {
    const good = goodReranker(fault);
    return {
      model: good.model,
      rerank: (...call) => (fault === when ? Promise.reject(error) : good.rerank(...call)),
    };
  };
}
