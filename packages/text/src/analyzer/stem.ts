import { stemmer } from 'stemmer';

const maxEnglishWordLength = 32;

function isLowerAscii(word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i);
    if (code < 97 || code > 122) return false;
  }
  return true;
}

/** English stem of a folded word; other alphabets, words with digits and overlong words are returned unchanged. */
export function stem(word: string): string {
  if (word.length < 3 || word.length > maxEnglishWordLength || !isLowerAscii(word)) return word;
  return stemmer(word);
}
