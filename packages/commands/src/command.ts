import type { Arguments } from './arguments.js';
import type { ArgumentDefs } from './definitions.js';

export interface Example {
  readonly command: string;
  readonly does: string;
}

/** The part of a command that lists of commands show. */
interface CommandSummary {
  readonly name: string;
  /** Without a final full stop. */
  readonly description: string;
}

/** A command without its name, loaded when it runs or shows its help. */
export interface CommandBody<Context> {
  /** The arguments without global options. */
  readonly args: ArgumentDefs;
  readonly examples: readonly Example[];
  readonly notes: readonly string[];
  readonly errorExit: number;
  run(args: Arguments<string>, context: Context): Promise<void>;
}

export interface BodySpec<Args extends ArgumentDefs, GlobalName extends string, Context> {
  readonly args: Args;
  readonly examples: readonly Example[];
  /** Paragraphs after the options, such as exit codes and formats. */
  readonly notes?: readonly string[];
  /** The exit code of an error. Default 1; use 2 if 1 has another meaning, as in grep. */
  readonly errorExit?: number;
  run(args: Arguments<Extract<keyof Args, string> | GlobalName>, context: Context): Promise<void>;
}

export interface CommandSpec<Args extends ArgumentDefs, GlobalName extends string, Context>
  extends CommandSummary, BodySpec<Args, GlobalName, Context> {}

/**
 * A command. `Context` is the value that a program passes to it. Without a context, a command can be described but not
 * run.
 */
export interface Command<Context = never> extends CommandSummary, CommandBody<Context> {
  readonly kind: 'command';
  /** The command that this one is an alias of. */
  readonly aliasOf: string | undefined;
}

/** A command that is loaded when it runs or shows its help. */
export interface LazyCommand<Context = never> extends CommandSummary {
  readonly kind: 'lazy';
  load(): Promise<CommandBody<Context>>;
}

/** A group of commands. */
export interface Group<Context = never> extends CommandSummary {
  readonly kind: 'group';
  readonly commands: readonly CommandNode<Context>[];
  readonly notes: readonly string[];
  /** The name of the command that runs if none is named. */
  readonly defaultCommand: string | undefined;
}

export type CommandNode<Context = never> = Command<Context> | LazyCommand<Context> | Group<Context>;

/** Defines a command without its name. */
export function commandBody<const Args extends ArgumentDefs, GlobalName extends string, Context>(
  spec: BodySpec<Args, GlobalName, Context>,
): CommandBody<Context> {
  const { args, examples, notes = [], errorExit = 1 } = spec;
  return {
    args,
    examples,
    notes,
    errorExit,
    run: (values, context) => spec.run(values, context),
  };
}

/** Defines a command. */
export function command<const Args extends ArgumentDefs, GlobalName extends string, Context>(
  spec: CommandSpec<Args, GlobalName, Context>,
): Command<Context> {
  return withName(spec.name, spec.description, commandBody(spec));
}

/** Defines an alias of a command. The reference describes only the original. */
export function aliasOf<Context>(item: Command<Context>, other: string): Command<Context> {
  return { ...item, aliasOf: other };
}

/** Defines a command that is loaded when it runs or shows its help. */
export function lazyCommand<Context>(
  name: string,
  description: string,
  load: () => Promise<CommandBody<Context>>,
): LazyCommand<Context> {
  return { kind: 'lazy', name, description, load };
}

/** Defines a group of commands. `defaultCommand` names the one that runs if none is named. */
export function group<Context>(
  name: string,
  description: string,
  commands: readonly CommandNode<Context>[],
  notes: readonly string[] = [],
  defaultCommand?: string,
): Group<Context> {
  return { kind: 'group', name, description, commands, notes, defaultCommand };
}

/** Returns a command or group. Loads lazy commands. */
export async function loadCommand<Context>(
  node: CommandNode<Context>,
): Promise<Command<Context> | Group<Context>> {
  return node.kind === 'lazy' ? withName(node.name, node.description, await node.load()) : node;
}

function withName<Context>(
  name: string,
  description: string,
  body: CommandBody<Context>,
): Command<Context> {
  return { kind: 'command', name, description, aliasOf: undefined, ...body };
}
