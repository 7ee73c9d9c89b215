import type { ConnectorType } from '@trove/client';

/** A setting as a form asks for it. */
export interface ConfigField {
  readonly name: string;
  readonly label: string;
  readonly help: string | null;
  readonly kind: 'text' | 'secret' | 'number' | 'boolean' | 'choice' | 'list' | 'json';
  readonly isRequired: boolean;
  /** Whether most people need it. */
  readonly isCommon: boolean;
  /** The default for people, or null. */
  readonly initial: string | null;
  readonly choices: readonly string[];
}

type Schema = Readonly<Record<string, unknown>>;

/** Returns the settings of a kind of source, required and common ones first. */
export function fieldsOf({ config_schema: schema, questions }: ConnectorType): ConfigField[] {
  const required = textsOf(schema['required']);
  const properties = Object.entries(isSchema(schema['properties']) ? schema['properties'] : {});
  const fields = properties.flatMap(([name, property]) => {
    if (!isSchema(property)) return [];
    const question = questions.find(({ setting }) => setting === name);
    const description = property['description'];
    const initial = property['default'];
    const isRequired = required.includes(name);
    return [
      {
        name,
        label: question?.ask ?? name,
        help: question?.help ?? (typeof description === 'string' ? description : null),
        kind: kindOf(property),
        isRequired,
        isCommon: isRequired || question !== undefined,
        initial: initial === undefined || initial === null ? null : textOf(initial),
        choices: choicesOf(property),
      },
    ];
  });
  return fields.sort((a, b) => rankOf(a) - rankOf(b));
}

/** Returns the configuration of the filled fields. Throws if a text does not match the type of its field. */
export function configOf(
  fields: readonly ConfigField[],
  values: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const text = (values[field.name] ?? '').trim();
      return text === '' ? [] : [[field.name, valueOf(field, text)]];
    }),
  );
}

function valueOf({ kind, label }: ConfigField, text: string): unknown {
  if (kind === 'number') return Number(text);
  if (kind === 'boolean') return text === 'true';
  if (kind === 'list')
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  if (kind !== 'json') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${label}: this is no JSON.`);
  }
}

function kindOf(property: Schema): ConfigField['kind'] {
  if (property['writeOnly'] === true) return 'secret';
  if (choicesOf(property).length > 0) return 'choice';
  const { type, items } = property;
  if (type === 'boolean') return 'boolean';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string') return 'text';
  return type === 'array' && isSchema(items) && items['type'] === 'string' ? 'list' : 'json';
}

function choicesOf({ enum: values }: Schema): string[] {
  const texts = textsOf(values);
  return Array.isArray(values) && texts.length === values.length ? texts : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function textsOf(values: unknown): string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
}

function rankOf({ isRequired, isCommon }: ConfigField): number {
  if (isRequired) return 0;
  return isCommon ? 1 : 2;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
