import { isTroveError, TroveError, type JsonSchema } from '@trove/core';
import { findMfsReplacement, findNearest, validate, validateOnce } from '@trove/runtime';
import { namedKeys, sections } from './keys.js';
import { settingsSchema, type Settings } from './schema.js';

/** Returns the origin of a setting for error messages, or null if unknown. */
export type OriginOf = (name: string) => string | null;

interface SettingProblem {
  readonly detail: string;
  readonly suggestion?: string;
}

/**
 * Validates settings and fills in defaults. Throws `config_invalid` naming each wrong key, the reason, its
 * origin and, for an unknown key, the closest known one.
 */
export function checkSettings(input: unknown, originOf: OriginOf = () => null): Settings {
  if (!isRecord(input)) throw new TroveError('config_invalid', 'settings: must be a table');
  const problems = [...findUnknownKeys(input, originOf), ...findWrongValues(input, originOf)];
  if (problems.length > 0) {
    throw new TroveError('config_invalid', problems.map(({ detail }) => detail).join('; '), {
      suggestions: suggestionsOf(problems),
    });
  }
  return validate(settingsSchema, input, '', 'config_invalid');
}

function findUnknownKeys(input: Record<string, unknown>, originOf: OriginOf): SettingProblem[] {
  const top = Object.keys(settingsSchema.properties);
  const problems: SettingProblem[] = [];
  for (const [name, value] of Object.entries(input)) {
    const section = sections[name];
    if (!top.includes(name)) {
      problems.push(
        unknownKeyProblem(isRecord(value) ? `section [${name}]` : name, name, top, originOf),
      );
    } else if (section?.additionalProperties === false && isRecord(value)) {
      const known = Object.keys(section.properties ?? {});
      for (const key of Object.keys(value)) {
        if (!known.includes(key))
          problems.push(unknownKeyProblem(`${name}.${key}`, key, known, originOf));
      }
    }
  }
  return problems;
}

function unknownKeyProblem(
  name: string,
  key: string,
  known: readonly string[],
  originOf: OriginOf,
): SettingProblem {
  const replacement = findMfsReplacement(key);
  const near = replacement === undefined ? findNearest(key, known) : null;
  return {
    detail: `${name}: is not known${near === null ? '' : `, did you mean \`${near}\`?`}${originSuffix(name, originOf)}`,
    suggestion:
      near === null
        ? (replacement ?? `Known here: ${known.join(', ')}.`)
        : `Write \`${near}\` instead of \`${key}\`.`,
  };
}

function findWrongValues(input: Record<string, unknown>, originOf: OriginOf): SettingProblem[] {
  const problems: SettingProblem[] = [];
  for (const [name, value] of Object.entries(input)) {
    const schema = sections[name];
    if (schema === undefined) continue;
    if (!isRecord(value)) {
      problems.push({
        detail: `${name}: must be a section: [${name}]${originSuffix(name, originOf)}`,
      });
    } else if (typeof schema.additionalProperties === 'object') {
      for (const [key, item] of Object.entries(value)) {
        problems.push(...problemsOf(schema.additionalProperties, item, `${name}.${key}`, originOf));
      }
    }
  }
  for (const { section, key, name, schema } of namedKeys) {
    const table = section === null ? input : input[section];
    if (isRecord(table) && Object.hasOwn(table, key)) {
      problems.push(...problemsOf(schema, table[key], name, originOf));
    }
  }
  return problems;
}

function problemsOf(
  schema: JsonSchema,
  value: unknown,
  name: string,
  originOf: OriginOf,
): SettingProblem[] {
  const { default: _default, ...rest } = schema;
  try {
    validateOnce(rest, value, name, 'config_invalid');
    return [];
  } catch (error) {
    if (!isTroveError(error)) throw error;
    return [{ detail: `${error.detail}${originSuffix(name, originOf)}` }];
  }
}

function originSuffix(name: string, originOf: OriginOf): string {
  const origin = originOf(name);
  return origin === null ? '' : ` (in ${origin})`;
}

function suggestionsOf(problems: readonly SettingProblem[]): string[] {
  const suggestions = problems.flatMap(({ suggestion }) => suggestion ?? []);
  return suggestions.length > 0
    ? [...new Set(suggestions)]
    : ['Correct the keys that the detail names.'];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
