import { TroveApiError } from '@trove/client';
import { Exit, runProgram, usageExitCode } from '@trove/commands';

import { program } from './program.js';
import { exitCodeOf, reportError } from './error-report.js';
import { type Cli, createCli, type CliContext } from './session/cli.js';
import { toUserError } from './session/user-error.js';
import { refusesArgument, type TypedCommand } from './session/error-translation.js';

/** Runs a command line. Resolves with its exit code: 0 success, 1 failure, 2 wrong usage. */
export async function main(argv: readonly string[], context: CliContext): Promise<number> {
  const { out, err } = context;
  let running: { readonly cli: Cli; readonly typed: TypedCommand } | undefined;
  try {
    await runProgram(program, argv, {
      layout: { style: out.style, width: out.isTerminal ? out.columns : undefined },
      write: (text) => out.write(text),
      open: (args, { path, command }) => {
        const cli = createCli(context, args);
        running = { cli, typed: { path, command, root: program.root } };
        return cli;
      },
    });
    return 0;
  } catch (error) {
    if (error instanceof Exit) return error.exitCode;
    const translated =
      running === undefined ? error : toUserError(error, running.cli, running.typed);
    await reportError(err, translated, wantsJson(argv));
    return running === undefined ? exitCodeOf(error) : exitCodeIn(running.typed, error);
  }
}

/** Returns exit code 2 if the server rejects an argument, because only the server knows the limits of numbers. */
function exitCodeIn(typed: TypedCommand, error: unknown): number {
  const isMisuse = error instanceof TroveApiError && refusesArgument(error, typed);
  return Math.max(typed.command.errorExit, isMisuse ? usageExitCode : exitCodeOf(error));
}

function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json');
}
