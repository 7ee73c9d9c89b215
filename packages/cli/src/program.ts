import type { Program } from '@trove/commands';

import { root } from './commands/root.js';
import { completers } from './completers.js';
import { nameSuggestions } from './name-suggestions.js';
import type { Cli } from './session/cli.js';
import { globalArgs } from './session/globals.js';
import { version } from './version.js';

/** The `trove` command. */
export const program: Program<Cli> = {
  root,
  globals: globalArgs,
  nameSuggestions,
  completers,
  version,
};
