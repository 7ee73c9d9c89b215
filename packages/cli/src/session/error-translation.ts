import { TroveApiError } from '@trove/client';
import { type Command, type Group, helpHint } from '@trove/commands';

import { displayText } from '../paths/display.js';
import type { Cli } from './cli.js';

/** The typed command with its path of names. */
export interface TypedCommand {
  readonly path: readonly string[];
  readonly command: Command<Cli>;
  readonly root: Group<Cli>;
}

/**
 * Translates an API error for the command line: parameters become options, operations become commands, URIs become
 * paths.
 */
export function translateError(error: TroveApiError, typed: TypedCommand, cli: Cli): TroveApiError {
  const { status, code } = error;
  const detail = translateArguments(displayText(error.detail, cli), typed);
  // A configuration key may share its name with an option.
  const isAboutConfig = /^(?:body\.)?config[.[]/.test(error.detail);
  const suggestions = error.suggestions.map((text) => {
    if (text.includes('/openapi.json')) return helpHint(typed.path);
    const shown = displayText(text, cli);
    return isAboutConfig ? shown : translateCommands(shown, typed);
  });
  return new TroveApiError({ status, code, detail, suggestions, cause: error });
}

/** Tests if the API rejected an argument of this command. */
export function refusesArgument({ code, detail }: TroveApiError, typed: TypedCommand): boolean {
  const name = /^(?:(?:query|body|path)\.)?(\w+)[^:]*: /.exec(detail)?.[1];
  return (
    code === 'validation_error' && name !== undefined && argumentFor(name, typed) !== undefined
  );
}

/**
 * Replaces parameters in `query.top_k: …` and `range, locator and meta: …` with the names of arguments. Leaves
 * configuration keys unchanged.
 */
function translateArguments(detail: string, typed: TypedCommand): string {
  return detail
    .replace(/\bbody\.(?=config[.[])/, '')
    .replace(
      /\b(?:query|body|path)\.(\w+)/g,
      (whole, name: string) => argumentFor(name, typed) ?? whole,
    )
    .replace(/^\w+(?:(?:, | and )\w+)*(?=: )/, (list) =>
      list.replace(/\w+/g, (name) => argumentFor(name, typed) ?? name),
    );
}

/** Replaces parameters and operations in backquotes (`update`, `mode=keyword`, `ls`) with options and commands. */
function translateCommands(text: string, typed: TypedCommand): string {
  return text.replace(/`(\w+)(?:=(\w+))?`/g, (whole, name: string, value?: string) => {
    const own = argumentFor(name, typed);
    if (own !== undefined) return value === undefined ? `\`${own}\`` : `\`${own} ${value}\``;
    const isCommand = typed.root.commands.some((item) => item.name === name);
    return isCommand && value === undefined ? `\`${typed.root.name} ${name}\`` : whole;
  });
}

/** Returns the argument of the command for a parameter, or undefined. */
function argumentFor(parameter: string, { command }: TypedCommand): string | undefined {
  const argumentEntry = Object.entries(command.args).find(
    ([name, def]) => (def.parameter ?? name.replaceAll('-', '_')) === parameter,
  );
  if (argumentEntry === undefined) return undefined;
  const [name, { type }] = argumentEntry;
  return type === 'positional' ? name.toUpperCase() : `--${name}`;
}
