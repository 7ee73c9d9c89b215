import { taskSchemas } from '@trove/core/model';
import {
  TokenBudget,
  truncateLine,
  buildPrompt,
  validate,
  type RerankFunction,
  type LanguageModelService,
} from '@trove/runtime';

/** The limit for one search. */
const maxTokens = 200_000;
const maxAnswerTokens = 1000;
const maxQuestionChars = 2000;
const maxTextChars = 1500;

const instruction =
  'Somebody searches with the words of the question. Pick the numbered passages that are what they look for, the best ' +
  'first. Answer with JSON: {"passages": [numbers]}.';

/**
 * Creates a reranker that asks a language model, in one call, to pick texts. Picked texts get positive numbers, the
 * first the highest. Others get 0.
 */
export function createLanguageModelReranker(model: LanguageModelService): RerankFunction {
  return async (question, texts, signal) => {
    const blocks = texts.map((text, at) => `[${at + 1}] ${truncateLine(text, maxTextChars)}`);
    const data = `Question: ${truncateLine(question, maxQuestionChars)}\n\nPassages:\n${blocks.join('\n\n')}`;
    const passages = texts.map((text) => ({ title: null, text }));
    const answer = await model.ask(
      {
        messages: buildPrompt(instruction, data),
        task: { kind: 'rank', question, passages },
        schema: taskSchemas.rank,
        maxTokens: maxAnswerTokens,
      },
      { tokenBudget: new TokenBudget(maxTokens), workId: 'search', fresh: false, signal },
    );
    const picked = validate(taskSchemas.rank, JSON.parse(answer), 'answer').passages;
    const isValid = (number: number): boolean => number >= 1 && number <= texts.length;
    const best = [...new Set(picked.filter(isValid))];
    return texts.map((_, at) => {
      const position = best.indexOf(at + 1);
      return position === -1 ? 0 : 1 - position / texts.length;
    });
  };
}
