import type { Arguments } from './arguments.js';
import type { ArgumentDefs } from './definitions.js';

export interface Example {
  readonly command: string;
  readonly does: string;
}

/** The part of a command that a list of commands shows. */
interface CommandSummary {
  readonly name: string;
  /** One sentence, without a full stop. */
  readonly description: string;
}

/** A command without its name: what is loaded when it runs or shows its help. */
export interface CommandBody<Context> {
  /** Without the options of every command. */
  readonly args: ArgumentDefs;
  readonly examples: readonly Example[];
  readonly notes: readonly string[];
  readonly errorExit: number;
  run(args: Arguments<string>, context: Context): Promise<void>;
}

export interface BodySpec<Args extends ArgumentDefs, GlobalName extends string, Context> {
  readonly args: Args;
  readonly examples: readonly Example[];
  /** Paragraphs after the options: exit codes, formats, what is not obvious. */
  readonly notes?: readonly string[];
  /** The exit code of an error. Default 1; 2 if 1 says something else, as in grep. */
  readonly errorExit?: number;
  run(args: Arguments<Extract<keyof Args, string> | GlobalName>, context: Context): Promise<void>;
}

export interface CommandSpec<Args extends ArgumentDefs, GlobalName extends string, Context>
  extends CommandSummary, BodySpec<Args, GlobalName, Context> {}

/** `Context` is what a program passes to its commands. Without it, a command can be described but not run. */
export interface Command<Context = never> extends CommandSummary, CommandBody<Context> {
  readonly kind: 'command';
  /** The command that this is another name for. */
  readonly aliasOf: string | undefined;
}

/** A command that is loaded when it runs or shows its help. */
export interface LazyCommand<Context = never> extends CommandSummary {
  readonly kind: 'lazy';
  load(): Promise<CommandBody<Context>>;
}

/** A command that only groups others. */
export interface Group<Context = never> extends CommandSummary {
  readonly kind: 'group';
  readonly commands: readonly CommandNode<Context>[];
  readonly notes: readonly string[];
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

/** A command under another name; its reference is that of the other. */
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

/** Defines a command that only groups others. */
export function group<Context>(
  name: string,
  description: string,
  commands: readonly CommandNode<Context>[],
  notes: readonly string[] = [],
): Group<Context> {
  return { kind: 'group', name, description, commands, notes };
}

/** The command or group itself, loaded if it is lazy. */
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
