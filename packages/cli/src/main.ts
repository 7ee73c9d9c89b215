import { TroveApiError } from '@trove/client';

import { hidden, root } from './commands/root.js';
import { Exit, UsageError, WRONG_USAGE } from './failure.js';
import type { Arguments } from './framework/arguments.js';
import { type GlobalName, hoistGlobals } from './framework/globals.js';
import { renderHelp } from './framework/help.js';
import { resolveCommand, type Resolved } from './framework/resolve.js';
import { exitCodeOf, reportError } from './report.js';
import { type Cli, openCli, type Surroundings } from './session/cli.js';
import { explain } from './session/explain.js';
import { helpHint, refusesArgument, type Typed } from './session/own-words.js';
import { version } from './version.js';

/** Runs a command line and resolves with its exit code: 0 success, 1 failure, 2 wrong usage. */
export async function main(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const words = withHelp(hoistGlobals(argv));
  const options = words.slice(0, words.includes('--') ? words.indexOf('--') : undefined);
  let running: { readonly cli: Cli; readonly typed: Typed } | undefined;
  try {
    await dispatch(words, options, surroundings, (cli, typed) => (running = { cli, typed }));
    return 0;
  } catch (error) {
    if (error instanceof Exit) return error.exitCode;
    const shown = running === undefined ? error : explain(error, running.cli, running.typed);
    await reportError(surroundings.err, shown, options.includes('--json'));
    return running === undefined ? exitCodeOf(error) : exitCodeIn(running.typed, error);
  }
}

/** What the server refuses of a command line is wrong usage, too: it knows the limits of numbers. */
function exitCodeIn(typed: Typed, error: unknown): number {
  const isMisuse = error instanceof TroveApiError && refusesArgument(error, typed);
  return Math.max(typed.command.errorExit, isMisuse ? WRONG_USAGE : exitCodeOf(error));
}

/** `trove help grep` is what fingers know from other tools. */
function withHelp(words: readonly string[]): readonly string[] {
  return words[0] === 'help' ? [...words.slice(1), '--help'] : words;
}

function hiddenCommand([name, ...rest]: readonly string[]): Resolved | undefined {
  const node = hidden.find((item) => item.name === name);
  return node === undefined ? undefined : { path: [root.name, node.name], node, rest };
}

async function dispatch(
  words: readonly string[],
  options: readonly string[],
  surroundings: Surroundings,
  opened: (cli: Cli, typed: Typed) => void,
): Promise<void> {
  const { out } = surroundings;
  if (words[0] === '--version' || words[0] === '-v') return out.line(version());
  const { path, node, rest } = hiddenCommand(words) ?? resolveCommand(root, words);
  if (options.includes('--help') || options.includes('-h')) {
    return out.write(renderHelp(path, node, out.style, out.isTerminal ? out.columns : undefined));
  }
  if (node.kind === 'group') {
    if (words.length > 0) {
      throw new UsageError('a command is missing', [helpHint(path)]);
    }
    return out.write(renderHelp(path, node, out.style, out.isTerminal ? out.columns : undefined));
  }
  const open = (args: Arguments<GlobalName>) => {
    const cli = openCli(surroundings, args);
    opened(cli, { path, command: node, root });
    return cli;
  };
  try {
    await node.execute([...rest], open);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.message, [...error.suggestions, helpHint(path)]);
  }
}
