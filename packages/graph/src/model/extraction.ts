import { buildPrompt, type TokenBudget } from '@trove/runtime';
import type { Triplet } from '../retrieval/types.js';
import type { GraphModel } from './model.js';

const maxChars = 8000;
const maxTriplets = 100;
const maxPartChars = 300;

const instruction =
  'Extract the facts that the text states as triplets of subject, predicate and object, at most 60. Subjects and objects ' +
  'are names or short noun phrases, written out (no pronouns); a predicate is a few words of the text. Take only what ' +
  'the text says. Answer with JSON: {"triplets": [{"subject": "…", "predicate": "…", "object": "…"}]}.';

/** Asks a language model for the triplets of a passage. Throws the errors of the model. */
export async function askForTriplets(
  model: GraphModel,
  passage: { readonly title: string | null; readonly text: string },
  tokenBudget: TokenBudget,
  signal: AbortSignal,
): Promise<Triplet[]> {
  const { title, text } = passage;
  const data = `${title === null ? '' : `Title: ${title}\n\n`}${text.slice(0, maxChars).toWellFormed()}`;
  const { triplets } = await model.ask(
    { kind: 'extract', title, text },
    { messages: buildPrompt(instruction, data), maxTokens: 4000 },
    tokenBudget,
    signal,
  );
  return triplets
    .filter(({ subject, predicate, object }) =>
      [subject, predicate, object].every((part) => part.length <= maxPartChars),
    )
    .slice(0, maxTriplets);
}
