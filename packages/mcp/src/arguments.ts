import type { JsonSchema } from '@trove/core';
import type { RawArguments, Tool } from './tool.js';

/** The arguments of a call under the names and types of the tool. */
export interface NormalizedArguments {
  readonly args: RawArguments;
  /** Names of arguments that the tool does not have. */
  readonly ignored: readonly string[];
}

/** Applies the aliases of a tool, converts texts to the types of its parameters, and omits unknown arguments. */
export function normalizeArguments(tool: Tool, raw: RawArguments): NormalizedArguments {
  const { properties = {} } = tool.input;
  const args: Record<string, unknown> = {};
  const ignored: string[] = [];
  for (const [given, value] of Object.entries(tool.rewrite?.(raw) ?? raw)) {
    const name = parameterOf(tool, given);
    const schema = name === undefined ? undefined : properties[name];
    if (name === undefined || schema === undefined) ignored.push(given);
    // The parameter's own name takes precedence over its aliases.
    else if (value !== null && (name === given || !(name in args)))
      args[name] = convert(schema, value);
  }
  return { args, ignored };
}

function parameterOf({ input, aliases }: Tool, given: string): string | undefined {
  const name = snakeCase(given);
  if (Object.hasOwn(input.properties ?? {}, name)) return name;
  return Object.hasOwn(aliases, name) ? aliases[name] : undefined;
}

/** `maxResults` and `max-results` become `max_results`. */
function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

/** Converts a value to the type of a parameter where its meaning is clear. Validation refuses the rest. */
function convert({ type, items }: JsonSchema, value: unknown): unknown {
  if (type === 'integer' && typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value))
    return Number(value);
  if (type === 'integer' && typeof value === 'number') return Math.trunc(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  if (type === 'string' && typeof value === 'number') return String(value);
  if (type === 'array') {
    const list = Array.isArray(value) ? value : [value];
    return items === undefined ? list : list.map((item: unknown) => convert(items, item));
  }
  if (type === 'string' && Array.isArray(value) && value.length === 1) return value[0];
  return value;
}
