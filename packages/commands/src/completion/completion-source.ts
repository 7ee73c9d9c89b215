import { type Command, type CommandNode, type Group, loadCommand } from '../command.js';
import { type ArgumentDef, type ArgumentDefs, optionNamed } from '../definitions.js';
import type { Program } from '../program.js';
import type { CompletionCandidate } from './completer.js';

/** Completions at the end of a command line: known words, or values of a kind. */
export type CompletionSource =
  | { readonly kind: 'words'; readonly words: readonly CompletionCandidate[] }
  | { readonly kind: 'values'; readonly of: string };

const nothing: CompletionSource = { kind: 'words', words: [] };

/** Returns the completions of the last word, which may be empty. `line` excludes the program's name. */
export async function completionAt(
  { root, globals }: Pick<Program, 'root' | 'globals'>,
  line: readonly string[],
): Promise<CompletionSource> {
  const before = line.slice(0, -1);
  const current = line.at(-1) ?? '';
  const { node, rest } = await findCommand(root, globals, before);
  if (node.kind === 'group') {
    const { pending } = parseWords(before, globals);
    if (pending !== null) return completionOf(pending);
    if (current.startsWith('-')) return { kind: 'words', words: optionWords(globals) };
    const words = node.commands.map(({ name, description }) => ({ value: name, description }));
    return { kind: 'words', words };
  }
  const args = { ...node.args, ...globals };
  const { pending, positionalCount, isAfterSeparator } = parseWords(rest, args);
  if (pending !== null) return completionOf(pending);
  if (current.startsWith('-') && !isAfterSeparator)
    return { kind: 'words', words: optionWords(args) };
  const positionals = Object.values(args).filter(({ type }) => type === 'positional');
  const last = positionals.at(-1);
  const repeats = last?.type === 'positional' && last.repeats === true;
  const place = positionals[positionalCount] ?? (repeats ? last : undefined);
  return place === undefined ? nothing : completionOf(place);
}

/** Finds the command of a line and the words after its name. Global options may precede the name. */
async function findCommand(
  root: Group,
  globals: ArgumentDefs,
  words: readonly string[],
): Promise<{ readonly node: Command | Group; readonly rest: readonly string[] }> {
  let node: CommandNode = root;
  let at = 0;
  for (; at < words.length && node.kind === 'group'; at++) {
    const word = words[at] ?? '';
    if (word.startsWith('-')) {
      if (takesValue(word, globals)) at++;
      continue;
    }
    const { commands }: Group = node;
    const next: CommandNode | undefined = commands.find(({ name }) => name === word);
    if (next === undefined) break;
    node = next;
  }
  return { node: await loadCommand(node), rest: words.slice(at) };
}

interface ParsedWords {
  /** The option that still needs its value. */
  readonly pending: ArgumentDef | null;
  /** Number of positional arguments so far. */
  readonly positionalCount: number;
  /** True after `--`, where no word is an option. */
  readonly isAfterSeparator: boolean;
}

function parseWords(words: readonly string[], args: ArgumentDefs): ParsedWords {
  let positionalCount = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--')
      return {
        pending: null,
        positionalCount: positionalCount + words.length - at - 1,
        isAfterSeparator: true,
      };
    if (!word.startsWith('-') || word === '-') positionalCount++;
    else if (takesValue(word, args)) {
      if (at === words.length - 1)
        return {
          pending: optionNamed(word, args) ?? null,
          positionalCount,
          isAfterSeparator: false,
        };
      at++;
    }
  }
  return { pending: null, positionalCount, isAfterSeparator: false };
}

function takesValue(word: string, args: ArgumentDefs): boolean {
  return !word.includes('=') && optionNamed(word, args)?.type === 'string';
}

function completionOf(def: ArgumentDef): CompletionSource {
  if (def.type === 'boolean') return nothing;
  if (def.completes !== undefined) return { kind: 'values', of: def.completes };
  const choices = def.valueHint?.includes('|') === true ? def.valueHint.split('|') : [];
  return { kind: 'words', words: choices.map((value) => ({ value, description: '' })) };
}

function optionWords(args: ArgumentDefs): CompletionCandidate[] {
  return Object.entries(args).flatMap(([name, def]) => {
    if (def.type === 'positional') return [];
    const isNegated = def.type === 'boolean' && def.default === true;
    return [{ value: `--${isNegated ? 'no-' : ''}${name}`, description: def.description }];
  });
}
