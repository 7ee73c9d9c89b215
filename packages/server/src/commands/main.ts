import { isTroveError } from '@trove/core';
import { helpHint, runProgram, styleFor, UsageError } from '@trove/commands';
import { WizardCancelledError } from '../wizard/prompts.js';
import { program } from './program.js';

interface StandardStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** The streams for results and errors. */
export interface CommandOutput {
  readonly stdout: StandardStream;
  readonly stderr: StandardStream;
}

/**
 * Runs the command line. Returns the exit code: 0, 2 for wrong usage or configuration, 1 for other failures.
 * Awaits `prepare` before running a command, but not before showing help.
 */
export async function runCommandLine(
  argv: readonly string[],
  { stdout, stderr }: CommandOutput = process,
  prepare: () => Promise<void> = async () => undefined,
): Promise<number> {
  const write = async (text: string): Promise<void> => {
    stdout.write(text);
  };
  const isTerminal = stdout.isTTY === true;
  try {
    if (argv.length === 0)
      throw new UsageError('a command is missing', [helpHint([program.root.name])]);
    await runProgram(program, argv, {
      layout: {
        style: styleFor(isTerminal, process.env),
        width: isTerminal ? stdout.columns : undefined,
      },
      write,
      open: async () => {
        await prepare();
        return { out: { write } };
      },
    });
    return 0;
  } catch (error) {
    if (error instanceof WizardCancelledError) return 1;
    stderr.write(formatError(error));
    return isMisuse(error) ? 2 : 1;
  }
}

function isMisuse(error: unknown): boolean {
  return error instanceof UsageError || (isTroveError(error) && error.code === 'config_invalid');
}

function formatError(error: unknown): string {
  if (error instanceof UsageError) return formatLines(error.message, error.suggestions);
  if (isTroveError(error)) return formatLines(error.detail, error.suggestions);
  return formatLines(error instanceof Error ? (error.stack ?? error.message) : String(error), []);
}

function formatLines(detail: string, suggestions: readonly string[]): string {
  return [`error: ${detail}`, ...suggestions.map((text) => `  ${text}`), ''].join('\n');
}
