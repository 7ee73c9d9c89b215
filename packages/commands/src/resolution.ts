import { type Command, type CommandNode, type Group, loadCommand } from './command.js';
import { UsageError } from './errors.js';
import type { NameSuggestions } from './name-suggestions.js';
import { nearest } from './nearest.js';
import type { Program } from './program.js';

export interface ResolvedCommand<Context> {
  /** `trove job show`. */
  readonly path: readonly string[];
  readonly node: Command<Context> | Group<Context>;
  readonly rest: readonly string[];
}

/** Returns the most specific command of a command line. Throws a UsageError for an unknown name. */
export async function resolveCommand<Context>(
  { root, nameSuggestions }: Program<Context>,
  argv: readonly string[],
): Promise<ResolvedCommand<Context>> {
  let node: CommandNode<Context> = root;
  const path = [root.name];
  let rest = argv;
  while (node.kind === 'group') {
    const [name, ...others] = namedCommand(node, rest);
    if (name === undefined || name.startsWith('-')) break;
    const { commands }: Group<Context> = node;
    const next: CommandNode<Context> | undefined = commands.find((item) => item.name === name);
    if (next === undefined) throw unknownCommand(path, name, commands, nameSuggestions);
    node = next;
    path.push(name);
    rest = others;
  }
  return { path, node: await loadCommand(node), rest };
}

/** Returns the words after a group, beginning with its default command if they name none and do not ask for help. */
function namedCommand({ defaultCommand }: Group, words: readonly string[]): readonly string[] {
  const isNamed = words[0] !== undefined && !words[0].startsWith('-');
  return isNamed || defaultCommand === undefined || asksForHelp(words)
    ? words
    : [defaultCommand, ...words];
}

/** Tests if the options of a command line include `--help`. */
export function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  const options = end === -1 ? words : words.slice(0, end);
  return options.includes('--help') || options.includes('-h');
}

function unknownCommand(
  path: readonly string[],
  name: string,
  commands: readonly { readonly name: string }[],
  nameSuggestions: NameSuggestions,
): UsageError {
  const names = commands.map((item) => item.name);
  const near = nearest(name, names);
  const suggested =
    nameSuggestions.commands.get([...path, name].join(' ')) ??
    (near === undefined ? undefined : [...path, near].join(' '));
  return new UsageError(`unknown command "${[...path.slice(1), name].join(' ')}"`, [
    ...(suggested === undefined ? [] : [`Did you mean \`${suggested}\`?`]),
    `\`${path.join(' ')} --help\` lists the commands.`,
  ]);
}
