import type { Group } from './command.js';
import type { Completer } from './completion/completer.js';
import type { ArgumentDefs } from './definitions.js';
import type { NameSuggestions } from './name-suggestions.js';

/** A program and the commands that it has. */
export interface Program<Context = never> {
  /** Every command, in the order of the help. Its name is that of the program. */
  readonly root: Group<Context>;
  /** Options of every command. */
  readonly globals: ArgumentDefs;
  readonly nameSuggestions: NameSuggestions;
  /** What a shell can complete besides local files, by the `completes` of an argument. */
  readonly completers: Readonly<Record<string, Completer<Context>>>;
  version(): string;
}
