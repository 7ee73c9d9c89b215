import type { Cli } from '../session/cli.js';
import { Arguments } from './arguments.js';
import type { ArgumentDefs } from './definitions.js';
import { type GlobalName, globalArgs } from './globals.js';
import { parseArguments } from './parse-arguments.js';

export interface Example {
  readonly command: string;
  readonly does: string;
}

/** Help text of a command. */
interface About {
  readonly name: string;
  /** One sentence, without a full stop. */
  readonly description: string;
}

interface CommandSpec<T extends ArgumentDefs> extends About {
  readonly args: T;
  readonly examples: readonly Example[];
  /** Paragraphs after the options: exit codes, formats, what is not obvious. */
  readonly notes?: readonly string[];
  /** The exit code of an error. Default 1; 2 if 1 says something else, as in grep. */
  readonly errorExit?: number;
  run(args: Arguments<Extract<keyof T, string> | GlobalName>, cli: Cli): Promise<void>;
}

export interface Command extends About {
  readonly kind: 'command';
  readonly args: ArgumentDefs;
  readonly examples: readonly Example[];
  readonly notes: readonly string[];
  readonly errorExit: number;
  /** The command that this is another name for. */
  readonly sameAs: string | undefined;
  /** Parses and runs. Throws UsageError, Failure, Exit or TroveApiError. */
  execute(rawArgs: string[], openCli: (args: Arguments<GlobalName>) => Cli): Promise<void>;
}

export interface Group extends About {
  readonly kind: 'group';
  readonly commands: readonly (Command | Group)[];
  readonly notes: readonly string[];
}

/** Defines a command; its arguments have the global ones added. */
export function command<const T extends ArgumentDefs>(spec: CommandSpec<T>): Command {
  const { name, description, examples, notes = [], errorExit = 1 } = spec;
  const args: ArgumentDefs = { ...spec.args, ...globalArgs };
  return {
    kind: 'command',
    name,
    description,
    examples,
    notes,
    errorExit,
    sameAs: undefined,
    args,
    async execute(rawArgs, openCli) {
      const parsed = parseArguments(rawArgs, args);
      await spec.run(new Arguments(parsed), openCli(new Arguments(parsed)));
    },
  };
}

/** A command under another name; its reference is that of the other. */
export function sameAs(item: Command, other: string): Command {
  return { ...item, sameAs: other };
}

/** Defines a command that only groups others. */
export function group(
  name: string,
  description: string,
  commands: readonly (Command | Group)[],
  notes: readonly string[] = [],
): Group {
  return { kind: 'group', name, description, commands, notes };
}
