import { TroveApiError } from '@trove/client';
import { type Command, type Group, helpHint } from '@trove/commands';

import { displayText } from '../paths/display.js';
import type { Cli } from './cli.js';

/** The typed command with its path of names. */
export interface Typed {
  readonly path: readonly string[];
  readonly command: Command<Cli>;
  readonly root: Group<Cli>;
}

/**
 * An error of the API in the words of the command line: options instead of parameters, commands instead of operations,
 * paths instead of URIs.
 */
export function inOwnWords(error: TroveApiError, typed: Typed, cli: Cli): TroveApiError {
  const { status, code } = error;
  const detail = withArguments(displayText(error.detail, cli), typed);
  // A key of the configuration may share its name with an option.
  const isAboutConfig = /^(?:body\.)?config[.[]/.test(error.detail);
  const suggestions = error.suggestions.map((text) => {
    if (text.includes('/openapi.json')) return helpHint(typed.path);
    const shown = displayText(text, cli);
    return isAboutConfig ? shown : withCommands(shown, typed);
  });
  return new TroveApiError({ status, code, detail, suggestions, cause: error });
}

/** Whether the API refused the value of an argument that this command has. */
export function refusesArgument({ code, detail }: TroveApiError, typed: Typed): boolean {
  const name = /^(?:(?:query|body|path)\.)?(\w+)[^:]*: /.exec(detail)?.[1];
  return code === 'validation_error' && name !== undefined && argument(name, typed) !== undefined;
}

/**
 * Replaces parameters in `query.top_k: …` and `range, locator and meta: …` with the names of arguments. Keys of a
 * configuration stay unchanged.
 */
function withArguments(detail: string, typed: Typed): string {
  return detail
    .replace(/\bbody\.(?=config[.[])/, '')
    .replace(
      /\b(?:query|body|path)\.(\w+)/g,
      (whole, name: string) => argument(name, typed) ?? whole,
    )
    .replace(/^\w+(?:(?:, | and )\w+)*(?=: )/, (list) =>
      list.replace(/\w+/g, (name) => argument(name, typed) ?? name),
    );
}

/** Replaces parameters and operations in backquotes (`update`, `mode=keyword`, `ls`) with their command line form. */
function withCommands(text: string, typed: Typed): string {
  return text.replace(/`(\w+)(?:=(\w+))?`/g, (whole, name: string, value?: string) => {
    const own = argument(name, typed);
    if (own !== undefined) return value === undefined ? `\`${own}\`` : `\`${own} ${value}\``;
    const isCommand = typed.root.commands.some((item) => item.name === name);
    return isCommand && value === undefined ? `\`${typed.root.name} ${name}\`` : whole;
  });
}

/** How an argument of the command is written; undefined if it has none for this parameter. */
function argument(parameter: string, { command }: Typed): string | undefined {
  const found = Object.entries(command.args).find(
    ([name, def]) => (def.parameter ?? name.replaceAll('-', '_')) === parameter,
  );
  if (found === undefined) return undefined;
  const [name, { type }] = found;
  return type === 'positional' ? name.toUpperCase() : `--${name}`;
}
