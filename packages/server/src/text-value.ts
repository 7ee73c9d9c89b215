import type { JsonSchema } from '@trove/core';

/**
 * Converts a text of the environment or a query string to the type of its schema. Booleans are `true`, `1`,
 * `yes` or `on`, or their opposites, in any case. Numbers are decimal. Lists are separated by commas. Returns
 * other texts unchanged, and validation rejects them.
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
      // Integers of up to 15 digits are exact.
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
