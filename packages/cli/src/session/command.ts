import {
  type ArgumentDefs,
  type Command,
  type CommandSpec,
  command as defineCommand,
} from '@trove/commands';

import type { Cli } from './cli.js';
import type { CompletionKind, GlobalName } from './globals.js';

/** Defines a command of `trove`. Its arguments include the global options. */
export function command<const Args extends ArgumentDefs<CompletionKind>>(
  spec: CommandSpec<Args, GlobalName, Cli>,
): Command<Cli> {
  return defineCommand(spec);
}
