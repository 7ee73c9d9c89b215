import type { JsonSchema } from '@trove/core';

/**
 * The value of the schema's type that a text of the environment or of a query string stands for. A boolean is `true`, `1`,
 * `yes` or `on`, or their opposites, in any case; a number is decimal; a list is separated by commas. A text that stands for
 * none stays as it is, and validation rejects it.
 */
export function textValue(text: string, schema: JsonSchema): unknown {
  for (const option of schema.anyOf ?? [schema]) {
    const value = valueOf(text, option);
    if (value !== text) return value;
  }
  return text;
}

function valueOf(text: string, { type }: JsonSchema): unknown {
  switch (type) {
    case 'boolean':
      return booleans.get(text.toLowerCase()) ?? text;
    case 'integer':
      // Every number of so few digits is exact.
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    case 'array':
      return text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
    default:
      return text;
  }
}

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['no', false],
  ['off', false],
]);
