import type { Command, Group } from '../framework/command.js';
import type { ArgumentDef, ArgumentDefs, Completes } from '../framework/definitions.js';
import { globalArgs } from '../framework/globals.js';

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** What fits at the end of a command line: known words, or values of a kind. */
export type Wanted =
  | { readonly kind: 'words'; readonly words: readonly Candidate[] }
  | { readonly kind: Completes };

const nothing: Wanted = { kind: 'words', words: [] };

/** What may come in place of the last word of a command line, which may be empty; without the name of the program. */
export function wantedAt(root: Group, line: readonly string[]): Wanted {
  const before = line.slice(0, -1);
  const current = line.at(-1) ?? '';
  const { node, rest } = commandOf(root, before);
  if (node.kind === 'group') {
    const { pending } = read(before, globalArgs);
    if (pending !== null) return valueOf(pending);
    if (current.startsWith('-')) return { kind: 'words', words: optionWords(globalArgs) };
    const words = node.commands.map(({ name, description }) => ({ value: name, description }));
    return { kind: 'words', words };
  }
  const { pending, places, isOver } = read(rest, node.args);
  if (pending !== null) return valueOf(pending);
  if (current.startsWith('-') && !isOver) return { kind: 'words', words: optionWords(node.args) };
  const positionals = Object.values(node.args).filter(({ type }) => type === 'positional');
  const last = positionals.at(-1);
  const repeats = last?.type === 'positional' && last.repeats === true;
  const place = positionals[places] ?? (repeats ? last : undefined);
  return place === undefined ? nothing : valueOf(place);
}

/** The command that the words name, and the words after its name; global options may come before it. */
function commandOf(
  root: Group,
  words: readonly string[],
): { readonly node: Command | Group; readonly rest: readonly string[] } {
  let node: Command | Group = root;
  for (let at = 0; at < words.length; at++) {
    if (node.kind === 'command') return { node, rest: words.slice(at) };
    const word = words[at] ?? '';
    if (word.startsWith('-')) {
      if (takesValue(word, globalArgs)) at++;
      continue;
    }
    const { commands }: Group = node;
    const next: Command | Group | undefined = commands.find(({ name }) => name === word);
    if (next === undefined) break;
    node = next;
  }
  return { node, rest: [] };
}

interface Progress {
  /** The option whose value comes next. */
  readonly pending: ArgumentDef | null;
  /** How many positional arguments there are already. */
  readonly places: number;
  /** After `--`, nothing is an option. */
  readonly isOver: boolean;
}

function read(words: readonly string[], args: ArgumentDefs): Progress {
  let places = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--')
      return { pending: null, places: places + words.length - at - 1, isOver: true };
    if (!word.startsWith('-') || word === '-') places++;
    else if (takesValue(word, args)) {
      if (at === words.length - 1)
        return { pending: optionOf(word, args) ?? null, places, isOver: false };
      at++;
    }
  }
  return { pending: null, places, isOver: false };
}

function takesValue(word: string, args: ArgumentDefs): boolean {
  return !word.includes('=') && optionOf(word, args)?.type === 'string';
}

/** `--top-k`, `-k`, and the last letter of `-il`. */
function optionOf(word: string, args: ArgumentDefs): ArgumentDef | undefined {
  if (word.startsWith('--')) return args[word.slice(2)];
  const letter = word.at(-1);
  return Object.values(args).find((def) => def.type !== 'positional' && def.alias === letter);
}

function valueOf(def: ArgumentDef): Wanted {
  if (def.type === 'boolean') return nothing;
  if (def.completes !== undefined) return { kind: def.completes };
  const choices = def.valueHint?.includes('|') === true ? def.valueHint.split('|') : [];
  return { kind: 'words', words: choices.map((value) => ({ value, description: '' })) };
}

function optionWords(args: ArgumentDefs): Candidate[] {
  return Object.entries(args).flatMap(([name, def]) => {
    if (def.type === 'positional') return [];
    const isNegated = def.type === 'boolean' && def.default === true;
    return [{ value: `--${isNegated ? 'no-' : ''}${name}`, description: def.description }];
  });
}
