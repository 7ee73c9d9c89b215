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

function unknownCommand(
  path: readonly string[],
  name: string,
  commands: readonly { readonly name: string }[],
): UsageError {
  const near = nearest(
    name,
    commands.map((item) => item.name),
  );
  return new UsageError(`unknown command "${[...path.slice(1), name].join(' ')}"`, [
    ...(near === undefined ? [] : [`Did you mean \`${[...path, near].join(' ')}\`?`]),
    `\`${path.join(' ')} --help\` lists the commands.`,
  ]);
}
