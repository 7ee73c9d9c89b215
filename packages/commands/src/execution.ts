import { defineCommand, runCommand } from 'citty';

import { Arguments } from './arguments.js';
import { checkArguments } from './argument-checks.js';
import type { Command } from './command.js';
import type { ArgumentDefs } from './definitions.js';
import type { Program } from './program.js';

/**
 * Parses the words after a command's name. Runs the command with the context that `open` creates from its arguments.
 */
export async function execute<Context>(
  { globals, nameSuggestions }: Program<Context>,
  item: Command<Context>,
  words: readonly string[],
  open: (args: Arguments<string>) => Context | Promise<Context>,
): Promise<void> {
  const args = { ...item.args, ...globals };
  // citty ignores unknown options and keeps only the last of repeated values.
  const repeated = checkArguments(words, args, nameSuggestions);
  const definition = defineCommand({
    meta: { name: item.name, description: item.description },
    args,
    run: async ({ args: parsed }) => {
      const values = new Arguments({ ...parsed, ...negativeFlagsOf(parsed, args), ...repeated });
      await item.run(values, await open(values));
    },
  });
  await runCommand(definition, { rawArgs: [...words] });
}

/** Returns the flags named `no-x`, which citty parses as the negation of `x`. */
function negativeFlagsOf(
  parsed: Readonly<Record<string, unknown>>,
  defs: ArgumentDefs,
): Record<string, true> {
  return Object.fromEntries(
    Object.keys(defs)
      .filter((name) => name.startsWith('no-') && parsed[name.slice('no-'.length)] === false)
      .map((name) => [name, true]),
  );
}
