import { isTroveError, type JsonSchema } from '@trove/core';
import { validateOnce } from 'trove';
import { textValue } from '../text-value.js';
import type { Prompts } from './prompts.js';

/** The configuration of a source or the content of server.toml, unvalidated. */
export type WizardConfig = Readonly<Record<string, unknown>>;

/** Asks for required settings that `given` lacks, then for optional ones. */
export async function askConfig(
  prompts: Prompts,
  schema: JsonSchema,
  given: WizardConfig,
): Promise<WizardConfig> {
  const properties = Object.entries(schema.properties ?? {});
  const required = new Set(schema.required ?? []);
  const missing = properties.filter(([name]) => required.has(name) && !(name in given));
  const others = properties.filter(([name]) => !required.has(name) || name in given);
  const selected =
    others.length === 0
      ? []
      : await prompts.several(
          `Which ${missing.length > 0 ? 'other ' : ''}settings do you want to set? (space selects, enter continues)`,
          others.map(([name, { description }]) => ({
            value: name,
            ...(description === undefined ? {} : { hint: description }),
          })),
        );
  const config: Record<string, unknown> = { ...given };
  const toAsk = [...missing, ...others.filter(([name]) => selected.includes(name))];
  for (const [name, property] of toAsk)
    config[name] = await askValue(prompts, name, property, given[name]);
  return config;
}

/** Asks for one value. The description in its schema is the question. */
async function askValue(
  prompts: Prompts,
  name: string,
  schema: JsonSchema,
  now: unknown,
): Promise<unknown> {
  const message = schema.description === undefined ? name : `${name}: ${schema.description}`;
  if (schema.writeOnly === true) return askSecret(prompts, message);
  if (schema.type === 'boolean')
    return prompts.confirm(message, typeof now === 'boolean' ? now : schema.default === true);
  const choices = choicesOf(schema);
  const initial = now ?? schema.default;
  if (choices !== null) {
    const options = choices.map((value) => ({ value }));
    const current = choices.find((value) => value === initial);
    return prompts.choose(message, options, current);
  }
  const text = await prompts.text(message, {
    ...(initial === undefined ? {} : { initial: textOf(initial) }),
    check: (given) => settingProblem(name, schema, given),
  });
  return valueOf(text, schema);
}

/** Asks for a secret or a reference to one. */
export async function askSecret(prompts: Prompts, message: string): Promise<string> {
  const how = await prompts.choose(message, [
    { value: 'env', label: 'in an environment variable of the server' },
    { value: 'file', label: 'in a file that the server can read' },
    { value: 'text', label: 'enter it', hint: 'stored as plain text' },
  ]);
  if (how === 'text') return prompts.password('The secret');
  if (how === 'env') {
    const variable = await prompts.text('Name of the variable', {
      check: (text) =>
        /^[A-Za-z_]\w*$/.test(text)
          ? undefined
          : 'Use letters, digits and underscores, as in MAIL_TOKEN',
    });
    warnIfUnset(prompts, variable);
    return `env:${variable}`;
  }
  const path = await prompts.text('Absolute path of the file', {
    check: (text) =>
      text.startsWith('/') ? undefined : 'Enter an absolute path, such as /run/secrets/mail',
  });
  return `file:${path}`;
}

export function warnIfUnset(prompts: Prompts, variable: string): void {
  if ((process.env[variable] ?? '') === '')
    prompts.warn(
      `${variable} is not set in this environment, so settings that need it cannot be tested.`,
    );
}

function choicesOf({ enum: values, anyOf }: JsonSchema): string[] | null {
  if (values !== undefined && values.every((value) => typeof value === 'string'))
    return [...values];
  const constants = anyOf?.flatMap(({ const: value }) =>
    typeof value === 'string' ? [value] : [],
  );
  return constants !== undefined && constants.length > 0 && constants.length === anyOf?.length
    ? constants
    : null;
}

/** Describes why a text is no value of a setting. */
export function settingProblem(name: string, schema: JsonSchema, text: string): string | undefined {
  try {
    const { default: _default, ...rest } = schema;
    validateOnce(rest, valueOf(text, schema), name, 'config_invalid');
    return undefined;
  } catch (error) {
    return isTroveError(error) ? error.detail : String(error);
  }
}

/** Converts an answer to a value. Tables, and lists of anything but strings, are entered as JSON. */
export function valueOf(text: string, schema: JsonSchema): unknown {
  const isJson =
    schema.type === 'object' || (schema.type === 'array' && schema.items?.type !== 'string');
  if (!isJson) return textValue(text, schema);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function textOf(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
