import { parseArgs, type ParseArgsConfig } from 'node:util';

import type { ArgumentDef, ArgumentDefs } from './definitions.js';
import { UsageError } from './errors.js';
import type { NameSuggestions } from './name-suggestions.js';
import { nearest } from './nearest.js';

/**
 * Checks the words of a command line. Returns the values of repeatable arguments by name. Throws a UsageError for
 * unknown options, missing or unexpected arguments, and missing or superfluous values.
 */
export function checkArguments(
  words: readonly string[],
  defs: ArgumentDefs,
  nameSuggestions: NameSuggestions,
): Readonly<Record<string, readonly string[]>> {
  const positionals: string[] = [];
  const repeated: Record<string, string[]> = {};
  for (const token of tokenize(words, defs)) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const def = optionOf(token.name, defs);
    if (def === undefined) throw unknownOption(token.rawName, defs, nameSuggestions);
    checkValue(token, def);
    if (def.type === 'string' && def.repeats === true && token.value !== undefined)
      (repeated[token.name] ??= []).push(token.value);
  }
  return { ...repeated, ...checkPositionals(positionals, defs) };
}

function tokenize(words: readonly string[], defs: ArgumentDefs) {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [name, def] of Object.entries(defs)) {
    if (def.type === 'positional') continue;
    const { type, alias } = def;
    options[name] = { type, ...(alias === undefined ? {} : { short: alias }) };
  }
  return parseArgs({
    args: [...words],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  }).tokens;
}

/** Returns the definition of an option. `no-x` also names the flag `x`. */
function optionOf(name: string, defs: ArgumentDefs): ArgumentDef | undefined {
  const def = Object.hasOwn(defs, name) ? defs[name] : undefined;
  if (def !== undefined) return def.type === 'positional' ? undefined : def;
  if (!name.startsWith('no-')) return undefined;
  const flag = optionOf(name.slice('no-'.length), defs);
  return flag?.type === 'boolean' ? flag : undefined;
}

interface OptionToken {
  readonly name: string;
  /** As typed: `-k` or `--top-k`. */
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function checkValue({ name, rawName, value, inlineValue }: OptionToken, def: ArgumentDef): void {
  if (def.type === 'boolean') {
    if (value !== undefined) throw new UsageError(`${rawName} does not take an argument`);
    return;
  }
  if (value === undefined) {
    throw new UsageError(`${rawName} has no value`, [
      `Add one: ${rawName} ${def.valueHint ?? name.toUpperCase()}`,
    ]);
  }
  if (inlineValue !== true && value.length > 1 && value.startsWith('-')) {
    throw new UsageError(`${rawName} has no value`, [
      `Write a value that begins with "-" as --${name}=-XYZ.`,
    ]);
  }
}

/** Returns the values of a repeatable last positional argument, by its name. */
function checkPositionals(
  given: readonly string[],
  defs: ArgumentDefs,
): Readonly<Record<string, readonly string[]>> {
  const positionals = Object.entries(defs).flatMap(([name, def]) =>
    def.type === 'positional' ? [{ name, ...def }] : [],
  );
  const last = positionals.at(-1);
  const extra = given[positionals.length];
  if (extra !== undefined && last?.repeats !== true) {
    throw new UsageError(`unexpected argument "${extra}"`, ['Quote a text of several words.']);
  }
  const missing = positionals.slice(given.length).find(({ required }) => required !== false);
  if (missing !== undefined) throw new UsageError(`${missing.name.toUpperCase()} is missing`);
  return last?.repeats === true ? { [last.name]: given.slice(positionals.length - 1) } : {};
}

function unknownOption(
  rawName: string,
  defs: ArgumentDefs,
  nameSuggestions: NameSuggestions,
): UsageError {
  return new UsageError(`unknown option ${rawName}`, [
    suggestOption(rawName, defs, nameSuggestions) ??
      `Write "--" before an argument that begins with "-": -- "${rawName}"`,
  ]);
}

/** Suggests a replacement for an unknown option. */
function suggestOption(
  rawName: string,
  defs: ArgumentDefs,
  nameSuggestions: NameSuggestions,
): string | undefined {
  const options = Object.keys(defs).filter((key) => defs[key]?.type !== 'positional');
  const isLong = rawName.startsWith('--');
  const name = rawName.replace(/^--?/, '');
  const replacement = isLong ? nameSuggestions.options.get(name) : undefined;
  if (replacement !== undefined) return `Write ${replacement}`;
  if (isLong && Object.hasOwn(defs, name))
    return `Write ${name.toUpperCase()} alone, without ${rawName}`;
  const synonym = nameSuggestions.synonyms
    .find(({ names }) => names.has(name))
    ?.ownNames.find((each) => options.includes(each));
  const near = synonym ?? (isLong ? nearest(name, options) : undefined);
  return near === undefined ? undefined : `Did you mean --${near}?`;
}
