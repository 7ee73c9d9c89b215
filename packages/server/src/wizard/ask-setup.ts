import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type {
  JsonSchema,
  SetupAddress,
  SetupChoice,
  SetupQuestion,
  SourceSetup,
} from '@trove/core';
import { settingProblem, valueOf, warnIfUnset, type WizardConfig } from './ask-config.js';
import type { Prompts } from './prompts.js';

/** Asks for the address of a source. Other answers are refused with the reason. */
export async function askAddress(
  prompts: Prompts,
  { ask, initial, read }: SourceSetup['address'],
): Promise<SetupAddress> {
  const text = await prompts.text(ask, {
    ...(initial === undefined ? {} : { initial }),
    check: (answer) => {
      const found = read(answer.trim());
      return typeof found === 'string' ? found : undefined;
    },
  });
  const found = read(text.trim());
  if (typeof found === 'string') throw new TypeError(found);
  return found;
}

/** Asks the questions of a setup whose settings are not in `given`. */
export async function askSetup(
  prompts: Prompts,
  { questions }: SourceSetup,
  schema: JsonSchema,
  given: WizardConfig,
): Promise<WizardConfig> {
  let config = given;
  for (const question of questions) {
    config =
      'choices' in question
        ? await askChoice(prompts, question, schema, config)
        : await askQuestion(prompts, question, schema, config);
  }
  return config;
}

async function askChoice(
  prompts: Prompts,
  { ask, choices }: SetupChoice,
  schema: JsonSchema,
  given: WizardConfig,
): Promise<WizardConfig> {
  const settings = choices.flatMap(({ questions }) => questions.map(({ setting }) => setting));
  if (settings.some((setting) => setting in given)) return given;
  const chosen = await prompts.choose(
    ask,
    choices.map(({ label, hint }) => ({ value: label, ...(hint === undefined ? {} : { hint }) })),
  );
  const questions = choices.find(({ label }) => label === chosen)?.questions ?? [];
  let config = given;
  for (const question of questions) config = await askQuestion(prompts, question, schema, config);
  return config;
}

async function askQuestion(
  prompts: Prompts,
  question: SetupQuestion,
  schema: JsonSchema,
  given: WizardConfig,
): Promise<WizardConfig> {
  const { setting, help, when } = question;
  if (setting in given || when?.(given) === false) return given;
  if (help !== undefined) prompts.say(help);
  const property = schema.properties?.[setting] ?? {};
  const answer = await askAnswer(prompts, question, property);
  return answer === '' ? given : { ...given, [setting]: valueOf(answer, property) };
}

/** Returns a text for the setting. An empty one leaves the setting out. */
async function askAnswer(
  prompts: Prompts,
  { ask, ifEmpty, isFile, setting }: SetupQuestion,
  schema: JsonSchema,
): Promise<string> {
  const empty = ifEmpty === undefined ? '' : ` (empty: ${ifEmpty})`;
  const problem = (text: string): string | undefined =>
    text === ''
      ? ifEmpty === undefined
        ? 'Enter a value'
        : undefined
      : settingProblem(setting, schema, text);
  if (isFile === true) {
    const path = await prompts.text(ask + empty, {
      check: (text) => (text.trim() === '' ? problem('') : fileProblem(pathOf(text))),
    });
    return path.trim() === '' ? '' : `file:${pathOf(path)}`;
  }
  if (schema.writeOnly !== true)
    return (await prompts.text(ask + empty, { check: (text) => problem(text.trim()) })).trim();
  const secret = await prompts.password(
    `${ask}: paste it, or enter env:NAME or file:/path${empty}`,
    (text) => problem(text.trim()),
  );
  const [, variable] = /^env:(.+)$/.exec(secret.trim()) ?? [];
  if (variable !== undefined) warnIfUnset(prompts, variable);
  return secret.trim();
}

function pathOf(text: string): string {
  return resolve(text.trim().replace(/^~(?=\/)/, homedir()));
}

function fileProblem(path: string): string | undefined {
  return existsSync(path) && statSync(path).isFile() ? undefined : `There is no file ${path}`;
}
