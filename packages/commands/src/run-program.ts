import type { Arguments } from './arguments.js';
import type { Command } from './command.js';
import { completeCommand } from './completion/complete-command.js';
import { execute } from './execution.js';
import { UsageError } from './errors.js';
import { type HelpLayout, renderHelp } from './help.js';
import { hoistGlobals } from './global-options.js';
import type { Program } from './program.js';
import { asksForHelp, resolveCommand, type ResolvedCommand } from './resolution.js';

/** A command that is about to run, and its path of names: `trove job show`. */
export interface RunningCommand<Context> {
  readonly path: readonly string[];
  readonly command: Command<Context>;
}

/** The output of a program and the context of its commands. */
export interface ProgramEnvironment<Context> {
  readonly layout: HelpLayout;
  write(text: string): Promise<void>;
  /** Creates the context of a command from its arguments. */
  open(args: Arguments<string>, running: RunningCommand<Context>): Context | Promise<Context>;
}

/**
 * Runs a command line, or prints its help or the version. Throws a UsageError for an invalid line, and the errors of
 * the command.
 */
export async function runProgram<Context>(
  program: Program<Context>,
  argv: readonly string[],
  environment: ProgramEnvironment<Context>,
): Promise<void> {
  const words = normalizeHelp(hoistGlobals(argv, program.globals));
  if (words[0] === '--version' || words[0] === '-v')
    return environment.write(`${program.version()}\n`);
  const { path, node, rest } =
    hiddenCommand(program, environment, words) ?? (await resolveCommand(program, words));
  if (asksForHelp(words) || (node.kind === 'group' && words.length === 0))
    return environment.write(renderHelp(program, path, node, environment.layout));
  if (node.kind === 'group') throw new UsageError('a command is missing', [helpHint(path)]);
  const open = (args: Arguments<string>) => environment.open(args, { path, command: node });
  try {
    await execute(program, node, rest, open);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.message, [...error.suggestions, helpHint(path)]);
  }
}

/** Returns the suggestion to read the help of a command. */
export function helpHint(path: readonly string[]): string {
  return `\`${path.join(' ')} --help\` shows the usage.`;
}

/** Supports `trove help grep`, which other tools accept. */
function normalizeHelp(words: readonly string[]): readonly string[] {
  return words[0] === 'help' ? [...words.slice(1), '--help'] : words;
}

/** Returns the hidden command that completion scripts call. */
function hiddenCommand<Context>(
  program: Program<Context>,
  { write }: ProgramEnvironment<Context>,
  [name, ...rest]: readonly string[],
): ResolvedCommand<Context> | undefined {
  if (name !== 'complete') return undefined;
  return { path: [program.root.name, name], node: completeCommand(program, write), rest };
}
