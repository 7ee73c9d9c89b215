import { stemmer } from 'stemmer';

const maxEnglishWordLength = 32;

function isLowerAscii(word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i);
    if (code < 97 || code > 122) return false;
  }
  return true;
}

/**
 * Returns the English stem of a folded word. Leaves other alphabets, words with digits and very long words unchanged.
 */
export function stem(word: string): string {
  if (word.length < 3 || word.length > maxEnglishWordLength || !isLowerAscii(word)) return word;
  return stemmer(word);
}
