import type { JsonSchema } from '@trove/core';

import { isRecord } from '../json.js';
import { functionPlaces } from './parts.js';

/**
 * Returns the problems of a description, each with its place. Accepts functions where a description in code may have them.
 * Supports the keywords that the schema of descriptions uses.
 */
export function schemaProblems(schema: JsonSchema, value: unknown, at = ''): string[] {
  if (typeof value === 'function' && functionPlaces.has(schema)) return [];
  const { anyOf, enum: allowed } = schema;
  if ('const' in schema && value !== schema.const)
    return [problem(at, `must be ${JSON.stringify(schema.const)}`)];
  if (allowed !== undefined && !allowed.includes(value))
    return [problem(at, `must be one of ${allowed.join(', ')}`)];
  if (anyOf !== undefined) return alternativeProblems(anyOf, value, at);
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return [problem(at, `must be ${types.join(' or ')}`)];
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined
      ? []
      : value.flatMap((item, index) => schemaProblems(items, item, `${at}[${index}]`));
  }
  if (isRecord(value)) return memberProblems(schema, value, at);
  return scalarProblems(schema, value, at);
}

/** Reports the problems of the alternative that is meant: the one with the same `by`, `grant` or type. */
function alternativeProblems(
  alternatives: readonly JsonSchema[],
  value: unknown,
  at: string,
): string[] {
  const found = alternatives.map((each) => ({ each, problems: schemaProblems(each, value, at) }));
  if (found.some(({ problems }) => problems.length === 0)) return [];
  const meant = found.filter(({ each }) => isMeant(each, value));
  const [best] = (meant.length > 0 ? meant : found).toSorted(
    (a, b) => a.problems.length - b.problems.length,
  );
  return best?.problems ?? [];
}

function isMeant({ properties = {} }: JsonSchema, value: unknown): boolean {
  if (!isRecord(value)) return false;
  const marks = ['by', 'grant'].filter((name) => properties[name]?.const !== undefined);
  if (marks.length > 0) return marks.every((name) => properties[name]?.const === value[name]);
  return Object.keys(value).some((name) => Object.hasOwn(properties, name));
}

function memberProblems(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  at: string,
): string[] {
  const missing = required.filter((name) => value[name] === undefined);
  const found = missing.map((name) => problem(join(at, name), 'is missing'));
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const schema = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (schema === false) found.push(problem(join(at, name), 'is unknown'));
    else if (typeof schema === 'object')
      found.push(...schemaProblems(schema, member, join(at, name)));
  }
  return found;
}

function scalarProblems(schema: JsonSchema, value: unknown, at: string): string[] {
  const { minLength = 0, pattern, minimum = -Infinity, maximum = Infinity } = schema;
  if (typeof value === 'string') {
    if (value.length < minLength) return [problem(at, 'must not be empty')];
    const isMatch = pattern === undefined || new RegExp(pattern).test(value);
    return isMatch ? [] : [problem(at, `"${value}" must match ${pattern}`)];
  }
  if (typeof value === 'number' && (value < minimum || value > maximum))
    return [problem(at, `must be from ${minimum} to ${maximum}`)];
  return [];
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  if (type === 'integer') return Number.isSafeInteger(value);
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}

function join(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}

function problem(at: string, reason: string): string {
  return `\`${at === '' ? 'description' : at}\` ${reason}`;
}
