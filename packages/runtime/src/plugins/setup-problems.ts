import type { SetupChoice, SetupQuestion, SourceSetup } from '@trove/core';

/** Describes each wrong member of a connector's setup, in the terms of its author. */
export function setupProblems(setup: unknown, configSchema: unknown): string[] {
  if (setup === undefined) return [];
  const { address, questions }: Partial<SourceSetup> = Object(setup);
  const { ask, read }: Partial<SourceSetup['address']> = Object(address);
  const problems =
    typeof ask === 'string' && typeof read === 'function'
      ? []
      : ['setup.address must have `ask` and a function `read`'];
  if (!Array.isArray(questions)) return [...problems, 'setup.questions must be an array'];
  const { properties }: { readonly properties?: unknown } = Object(configSchema);
  const settings = Object.keys(Object(properties));
  return [...problems, ...questions.flatMap((question) => questionProblems(question, settings))];
}

function questionProblems(
  question: SetupChoice | SetupQuestion,
  settings: readonly string[],
): string[] {
  const { ask, setting, choices }: Partial<SetupChoice & SetupQuestion> = Object(question);
  if (typeof ask !== 'string') return ['each of setup.questions must have `ask`'];
  if (Array.isArray(choices)) {
    return choices.flatMap(({ questions }: SetupChoice['choices'][number]) =>
      questions.flatMap((each) => questionProblems(each, settings)),
    );
  }
  const isKnown = settings.includes(String(setting));
  return isKnown ? [] : [`setup.questions: the schema has no setting \`${String(setting)}\``];
}
