import { parseArgs, type ParseArgsConfig } from 'node:util';

import { UsageError } from '../failure.js';
import type { ArgumentDefs } from './definitions.js';
import { nearest } from './nearest.js';

/** The values of a command line, by name. Throws a UsageError for unknown and for missing arguments. */
export function parseArguments(
  words: readonly string[],
  defs: ArgumentDefs,
): Readonly<Record<string, unknown>> {
  const { values, positionals } = parseStrictly(words, defs);
  const places = Object.entries(defs).filter(([, def]) => def.type === 'positional');
  const last = places.at(-1)?.[1];
  const takesAll = last?.type === 'positional' && last.repeats === true;
  const extra = positionals[places.length];
  if (extra !== undefined && !takesAll) {
    throw new UsageError(`unexpected argument "${extra}"`, [
      'Put a text of several words in quotes.',
    ]);
  }
  const missing = places
    .slice(positionals.length)
    .find(([, def]) => def.type === 'positional' && def.required !== false);
  if (missing !== undefined) throw new UsageError(`${missing[0].toUpperCase()} is missing`);
  const placed = places.map(([name, def], at) => [
    name,
    def.type === 'positional' && def.repeats === true ? positionals.slice(at) : positionals[at],
  ]);
  // parseArgs takes a flag that is called `no-x` for the contrary of `x`.
  const negative = Object.keys(defs).flatMap((name) =>
    name.startsWith('no-') && values[name.slice('no-'.length)] === false ? [[name, true]] : [],
  );
  return { ...values, ...Object.fromEntries([...negative, ...placed]) };
}

function parseStrictly(words: readonly string[], defs: ArgumentDefs) {
  try {
    return parseArgs({
      args: [...words],
      options: optionsOf(defs),
      allowPositionals: true,
      allowNegative: true,
      strict: true,
    });
  } catch (error) {
    throw usageError(error, defs);
  }
}

function optionsOf(defs: ArgumentDefs): NonNullable<ParseArgsConfig['options']> {
  return Object.fromEntries(
    Object.entries(defs).flatMap(([name, def]) => {
      if (def.type === 'positional') return [];
      const { type, alias } = def;
      const preset = def.type === 'boolean' ? def.default : undefined;
      return [
        [
          name,
          {
            type,
            ...(alias === undefined ? {} : { short: alias }),
            ...(preset === undefined ? {} : { default: preset }),
            ...(def.type === 'string' && def.repeats === true ? { multiple: true } : {}),
          },
        ],
      ];
    }),
  );
}

/** Options of other programs that fingers know, and what does the same here. */
const habits: Readonly<Record<string, string>> = {
  include: "-g 'GLOB'",
  exclude: "-g '!GLOB'",
  'exclude-dir': "-g '!FOLDER'",
  iglob: "-g 'GLOB'",
  'extended-regexp': '-E',
  'perl-regexp': '-E',
  pcre2: '-E',
};

/** What other programs call the number of things that are wanted, and ours do, the first that a command has. */
const howMany: ReadonlySet<string> = new Set(
  'n limit max num number count size top first k'.split(' '),
);
const ourNumbers = ['limit', 'top-k', 'lines'];

function usageError(error: unknown, defs: ArgumentDefs): unknown {
  if (!(error instanceof Error)) return error;
  const bare = /^Option '([^']+)' argument is ambiguous.* use '([^']+)'/s.exec(error.message);
  if (bare !== null) {
    const [, option = '', example = ''] = bare;
    return new UsageError(`${option} has no value`, [
      `Write one that begins with "-" as one word with it: ${example}`,
    ]);
  }
  const unknown = /^Unknown option '(-+)([^']+)'/.exec(error.message);
  if (unknown === null) return new UsageError(lowerFirst(error.message.split('\n')[0] ?? ''));
  const [, dashes = '', name = ''] = unknown;
  return new UsageError(`unknown option ${dashes}${name}`, [
    instead(dashes, name, defs) ??
      `Write "--" before an argument that begins with "-": -- "${dashes}${name}"`,
  ]);
}

/** What was meant by an option that a command does not have. */
function instead(dashes: string, name: string, defs: ArgumentDefs): string | undefined {
  const options = Object.keys(defs).filter((key) => defs[key]?.type !== 'positional');
  const number = howMany.has(name) ? ourNumbers.find((each) => options.includes(each)) : undefined;
  const isLong = dashes === '--';
  const habit = isLong ? habits[name] : undefined;
  if (habit !== undefined) return `Write ${habit}`;
  if (isLong && defs[name]?.type === 'positional')
    return `Write ${name.toUpperCase()} alone, without --${name}`;
  const near = number ?? (isLong ? nearest(name, options) : undefined);
  return near === undefined ? undefined : `Did you mean --${near}?`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
