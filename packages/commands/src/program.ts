import type { Group } from './command.js';
import type { Completer } from './completion/completer.js';
import type { ArgumentDefs } from './definitions.js';
import type { NameSuggestions } from './name-suggestions.js';

/** A program with its commands. */
export interface Program<Context = never> {
  /** All commands, in the order of the help. Its name is the name of the program. */
  readonly root: Group<Context>;
  /** Options of every command. */
  readonly globals: ArgumentDefs;
  readonly nameSuggestions: NameSuggestions;
  /** Completers besides local files, by the `completes` of an argument. */
  readonly completers: Readonly<Record<string, Completer<Context>>>;
  version(): string;
}
