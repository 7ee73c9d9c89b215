import { parseArgs, type ParseArgsConfig } from 'node:util';

import type { ArgDef, ArgsDef } from 'citty';

import { UsageError } from '../failure.js';
import { nearest } from './nearest.js';

/** Refuses what the parser would let through: unknown options, missing values, arguments too many or too few. */
export function checkArguments(rawArgs: readonly string[], args: ArgsDef): void {
  const { positionals } = parseStrictly(rawArgs, args);
  const places = Object.entries(args).filter(([, arg]) => arg.type === 'positional');
  const extra = positionals[places.length];
  if (extra !== undefined) {
    throw new UsageError(`unexpected argument "${extra}"`, [
      'Put a text of several words in quotes.',
    ]);
  }
  const missing = places.slice(positionals.length).find(([, arg]) => arg.required !== false);
  if (missing !== undefined) throw new UsageError(`${missing[0].toUpperCase()} is missing`);
}

function parseStrictly(rawArgs: readonly string[], args: ArgsDef): { positionals: string[] } {
  try {
    return parseArgs({
      args: [...rawArgs],
      options: optionsOf(args),
      allowPositionals: true,
      allowNegative: true,
      strict: true,
    });
  } catch (error) {
    throw usageError(error, args);
  }
}

function optionsOf(args: ArgsDef): NonNullable<ParseArgsConfig['options']> {
  return Object.fromEntries(
    Object.entries(args)
      .filter(([, arg]) => arg.type !== 'positional')
      .map(([name, arg]) => {
        const type = arg.type === 'boolean' ? ('boolean' as const) : ('string' as const);
        const short = shortOf(arg);
        return [name, short === undefined ? { type } : { type, short }];
      }),
  );
}

/** The one-letter form of an option, if it has one. */
export function shortOf(arg: ArgDef): string | undefined {
  if (!('alias' in arg)) return undefined;
  return [arg.alias ?? []].flat().find((alias) => alias.length === 1);
}

function usageError(error: unknown, args: ArgsDef): unknown {
  if (!(error instanceof Error)) return error;
  const unknown = /^Unknown option '(-+)([^']+)'/.exec(error.message);
  if (unknown === null) return new UsageError(lowerFirst(error.message.split('\n')[0] ?? ''));
  const [, dashes = '', name = ''] = unknown;
  const options = Object.keys(args).filter((key) => args[key]?.type !== 'positional');
  const near = dashes === '--' ? nearest(name, options) : undefined;
  return new UsageError(`unknown option ${dashes}${name}`, [
    near === undefined
      ? `Write "--" before an argument that begins with "-": -- "${dashes}${name}"`
      : `Did you mean --${near}?`,
  ]);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
