import { UsageError } from '../failure.js';
import type { Command, Group } from './command.js';
import { nearest } from './nearest.js';

export interface Resolved {
  /** `trove job show`. */
  readonly path: readonly string[];
  readonly node: Command | Group;
  readonly rest: readonly string[];
}

/** The most specific command that a command line names. Throws a UsageError for an unknown name. */
export function resolveCommand(root: Group, argv: readonly string[]): Resolved {
  let node: Command | Group = root;
  const path = [root.name];
  let rest = argv;
  while (node.kind === 'group') {
    const [name, ...others] = rest;
    if (name === undefined || name.startsWith('-')) break;
    const { commands }: Group = node;
    const next: Command | Group | undefined = commands.find((item) => item.name === name);
    if (next === undefined) throw unknownCommand(path, name, commands);
    node = next;
    path.push(name);
    rest = others;
  }
  return { path, node, rest };
}

/** What commands that do the same are called elsewhere. */
const habits: ReadonlyMap<string, string> = new Map([
  ['trove index', 'trove add'],
  ['trove sync', 'trove add'],
  ['trove find', 'trove search'],
  ['trove start', 'trove serve start'],
  ['trove stop', 'trove serve stop'],
  ['trove logs', 'trove serve logs'],
  ['trove setup', 'trove-server setup'],
]);

function unknownCommand(
  path: readonly string[],
  name: string,
  commands: readonly { readonly name: string }[],
): UsageError {
  const names = commands.map((item) => item.name);
  const near = nearest(name, names);
  const meant =
    habits.get([...path, name].join(' ')) ??
    (near === undefined ? undefined : [...path, near].join(' '));
  return new UsageError(`unknown command "${[...path.slice(1), name].join(' ')}"`, [
    ...(meant === undefined ? [] : [`Did you mean \`${meant}\`?`]),
    `\`${path.join(' ')} --help\` lists the commands.`,
  ]);
}
