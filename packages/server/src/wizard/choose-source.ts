import { recogniseAddress, type ListedSourceKind, type RecognisedSource } from 'trove';
import type { PromptChoice, Prompts } from './prompts.js';

/** A kind of source, and the address from which it was recognised. */
export interface ChosenSource {
  readonly scheme: string;
  /** Null if the address has still to be asked for. */
  readonly address: string | null;
  readonly recognised: RecognisedSource | null;
}

/** Asks for words that describe a kind of source, or for the address of one, and for a choice if several match. */
export async function chooseSource(
  prompts: Prompts,
  kinds: readonly ListedSourceKind[],
): Promise<ChosenSource> {
  const text = await prompts.text(
    'Kind of source: words to search for, or an address to paste (empty: list all)',
    {
      check: (answer) =>
        matchesOf(kinds, answer).length === 0
          ? 'No kind of source matches. Enter nothing to list all.'
          : undefined,
    },
  );
  const found = matchesOf(kinds, text);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.chosen;
  const scheme = await prompts.choose(
    'Which source is it?',
    found.map(({ choice }) => choice),
  );
  const match = found.find(({ choice }) => choice.value === scheme);
  return match?.chosen ?? { scheme, address: null, recognised: null };
}

interface Match {
  readonly chosen: ChosenSource;
  readonly choice: PromptChoice<string>;
}

function matchesOf(kinds: readonly ListedSourceKind[], text: string): readonly Match[] {
  const recognised = recogniseAddress(kinds, text);
  if (recognised.length > 0)
    return recognised.map((each) => ({
      chosen: fromAddress(each, text),
      choice: choiceOf(each),
    }));
  return kinds
    .filter((kind) => isFound(kind, text))
    .map(({ schemes: [scheme = ''], name, content }) => ({
      chosen: { scheme, address: null, recognised: null },
      choice: { value: scheme, label: name, ...(content === undefined ? {} : { hint: content }) },
    }));
}

/** Asks which source a web address means. Returns null if it means a web site, or no source is known. */
export async function chooseMeaning(
  prompts: Prompts,
  kinds: readonly ListedSourceKind[],
  address: string,
): Promise<ChosenSource | null> {
  const recognised = recogniseAddress(kinds, address);
  if (!/^(?:https?:\/\/|git@)/i.test(address) || recognised.length < 2) return null;
  const scheme = await prompts.choose('Which source is it?', recognised.map(choiceOf));
  const found = recognised.find((each) => each.scheme === scheme);
  return found === undefined ? null : fromAddress(found, address);
}

function fromAddress(recognised: RecognisedSource, address: string): ChosenSource {
  return { scheme: recognised.scheme, address: address.trim(), recognised };
}

function choiceOf({
  scheme,
  target,
  kind: { name, content },
}: RecognisedSource): PromptChoice<string> {
  const hint = target ?? content;
  return { value: scheme, label: name, ...(hint === undefined ? {} : { hint }) };
}

/** Whether the name, a scheme or the content of a kind contains each word of a text. */
function isFound({ name, schemes, content = '' }: ListedSourceKind, text: string): boolean {
  const searched = [name, ...schemes, content].join(' ').toLowerCase();
  return text
    .toLowerCase()
    .trim()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}
