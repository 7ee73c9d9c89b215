import { functionWords } from './function-words.js';
import type { WordSpan } from './words.js';

/** A longer word in capitals is rarely an acronym. */
const maxAcronymLetters = 6;
const capitals = /^(?=\p{Lu})[\p{Lu}\p{M}\p{N}]{2,}$/u;
/** Words in capitals of programs, requests and notices. */
const shoutedWords: ReadonlySet<string> = new Set(
  `get post put patch head delete options trace connect must should shall may not required optional recommended
  select from where insert into update create table drop alter join order group by limit values set and or null true
  false file files dir folder path name names host port user key value token text line date time number count size
  target source query note notes warning caution important tip danger info todo fixme xxx hack ok yes no on off all any
  new old end begin start stop only never always do dont please attention error debug warn fatal fail pass done default
  readme license changelog contributing authors makefile dockerfile`.split(/\s+/u),
);

/** Tests if a word consists of capitals, such as `NATO` and `TOKEN`. */
export function isInCapitals(word: string): boolean {
  return capitals.test(word);
}

/**
 * Tests if a word in capitals is an ordinary word and no acronym. `lowerWords` are the words that the text also has in
 * lower case.
 */
export function isShouted(word: string, lowerWords: ReadonlySet<string>): boolean {
  if (!isInCapitals(word)) return false;
  const lower = word.toLowerCase();
  if (word.length > maxAcronymLetters || shoutedWords.has(lower)) return true;
  // `us` and `it` are in any text, and tell nothing about `US` and `IT`.
  return lowerWords.has(lower) && !functionWords.has(lower);
}

/** Returns the words in lower case. Returns null for a text in capitals, which gives them no meaning. */
export function lowerWordsOf(words: readonly WordSpan[]): ReadonlySet<string> | null {
  const lower = new Set<string>();
  let shouted = 0;
  for (const { raw, isLower } of words) {
    if (isLower) lower.add(raw);
    else if (isInCapitals(raw)) shouted++;
  }
  return shouted * 2 > words.length ? null : lower;
}
