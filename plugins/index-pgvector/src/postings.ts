import { setImmediate } from 'node:timers/promises';
import { encodeText } from '@trove/core/database';
import type { NumberedRow } from './rows.js';

/** The two texts of a row that BM25 scores. */
const fields = ['terms', 'pairs'] as const;

/** Longer words are cut, both in rows and in queries. */
const maxWordCharacters = 200;
/** Rows processed before the event loop gets a turn, about 5 ms. */
const rowsPerTurn = 128;

/**
 * An entry of a posting list is one 64-bit number: the row number, the frequency of the word in the row (12 bits), and
 * the length of the row in words (16 bits). Larger values are clamped, which hardly affects BM25.
 */
export const frequencyBits = 12;
export const lengthBits = 16;
export const maxFrequency = 2 ** frequencyBits - 1;
export const maxLength = 2 ** lengthBits - 1;
const entryBits = frequencyBits + lengthBits;
/** The part of a row number in the lower half of an entry. */
const lowNumbers = 2 ** (32 - entryBits);

/** The ascending numbers of the rows with a word, and its frequency in each. */
interface Occurrences {
  readonly at: number[];
  readonly frequencies: number[];
}

/**
 * The inverted index of some rows, as columns. The entries of a word are those from `starts` to `ends` (1-based,
 * inclusive).
 */
export interface PostingLists {
  readonly fields: number[];
  readonly words: string[];
  readonly starts: number[];
  readonly ends: number[];
  /** Pairs of 32-bit halves, the higher half first. */
  readonly entries: Uint32Array;
  /** The number of words per row, for each field. */
  readonly lengths: readonly (readonly number[])[];
}

/** Yields regularly, so that searches are not delayed. */
export async function invert(rows: readonly NumberedRow[]): Promise<PostingLists> {
  const occurrences = fields.map(() => new Map<string, Occurrences>());
  const lengths = fields.map((): number[] => []);
  for (const [at, { row }] of rows.entries()) {
    if (at % rowsPerTurn === rowsPerTurn - 1) await setImmediate();
    for (const [field, name] of fields.entries()) {
      const words = wordsOf(row[name]);
      lengths[field]?.push(words.length);
      for (const word of words) count(occurrences[field] ?? new Map(), word, at);
    }
  }
  return { ...packed(rows, occurrences, lengths), lengths };
}

/** Returns a word as stored and queried. */
export function storedWord(word: string): string {
  return encodeText(word).slice(0, maxWordCharacters);
}

function wordsOf(text: string): string[] {
  return text === '' ? [] : encodeText(text).split(' ').filter(Boolean);
}

function count(occurrences: Map<string, Occurrences>, given: string, at: number): void {
  const word = given.length > maxWordCharacters ? given.slice(0, maxWordCharacters) : given;
  const known = occurrences.get(word);
  if (known === undefined) {
    occurrences.set(word, { at: [at], frequencies: [1] });
  } else if (known.at.at(-1) === at) {
    known.frequencies[known.frequencies.length - 1] = (known.frequencies.at(-1) ?? 0) + 1;
  } else {
    known.at.push(at);
    known.frequencies.push(1);
  }
}

function packed(
  rows: readonly NumberedRow[],
  occurrences: readonly ReadonlyMap<string, Occurrences>[],
  lengths: readonly (readonly number[])[],
): Omit<PostingLists, 'lengths'> {
  const total = occurrences
    .flatMap((words) => [...words.values()])
    .reduce((sum, { at }) => sum + at.length, 0);
  const lists = {
    fields: [] as number[],
    words: [] as string[],
    starts: [] as number[],
    ends: [] as number[],
    entries: new Uint32Array(2 * total),
  };
  let end = 0;
  for (const [field, words] of occurrences.entries()) {
    for (const [word, { at, frequencies }] of words) {
      lists.fields.push(field);
      lists.words.push(word);
      lists.starts.push(end + 1);
      for (const [i, row] of at.entries()) {
        const number = rows[row]?.number ?? 0;
        const frequency = Math.min(frequencies[i] ?? 0, maxFrequency);
        const length = Math.min(lengths[field]?.[row] ?? 0, maxLength);
        lists.entries[2 * end] = Math.floor(number / lowNumbers);
        lists.entries[2 * end + 1] =
          (number % lowNumbers) * 2 ** entryBits + frequency * 2 ** lengthBits + length;
        end++;
      }
      lists.ends.push(end);
    }
  }
  return lists;
}
