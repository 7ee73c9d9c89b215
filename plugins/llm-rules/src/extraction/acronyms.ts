import { functionWords, wordsOf } from '@trove/text/names';
import type { TripletList } from './triplet-list.js';

const parenthesized = /\(([^()\n]{2,80})\)/gu;
const acronymPattern = /^\p{Lu}[\p{Lu}\p{N}&.-]{1,7}s?$/u;
const maxBeforeChars = 160;

/** Adds the acronyms that a text defines: `National Health Service (NHS)` and `NHS (National Health Service)`. */
export function addAcronyms(text: string, triplets: TripletList): void {
  for (const { 1: inside = '', index } of text.matchAll(parenthesized)) {
    const before = text.slice(Math.max(0, index - maxBeforeChars), index).trimEnd();
    if (acronymPattern.test(inside)) {
      const name = findLongForm(before, inside);
      if (name !== null) triplets.add(name, 'is abbreviated as', inside);
      continue;
    }
    const acronym = /\S+$/u.exec(before)?.[0] ?? '';
    if (acronymPattern.test(acronym) && findLongForm(inside, acronym) === inside)
      triplets.add(inside, 'is abbreviated as', acronym);
  }
}

/** Returns the last words of a text whose initials are the letters of an acronym, or null. */
function findLongForm(text: string, acronym: string): string | null {
  const letters = Array.from(acronym.replace(/s$/u, '').toLowerCase()).filter((each) =>
    /[\p{L}\p{N}]/u.test(each),
  );
  const words = wordsOf(text);
  let at = words.length - 1;
  for (let letter = letters.length - 1; letter >= 0; at--) {
    const word = words[at]?.raw.toLowerCase();
    if (word === undefined) return null;
    if (word.startsWith(letters[letter] ?? '')) letter--;
    else if (!functionWords.has(word)) return null;
  }
  return text.slice(words[at + 1]?.start, words.at(-1)?.end);
}
