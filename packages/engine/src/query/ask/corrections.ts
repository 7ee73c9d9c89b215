interface Correction {
  readonly word: string;
  readonly replacements: readonly string[];
}

/** Shorter words often are another word, not a typing error. */
const minLetters = 5;

/**
 * Corrects the words of a question that are typing errors beyond doubt: letters are missing, superfluous or swapped. A
 * word with a replaced letter is often another word, such as `bake` for `base`, and stays uncovered.
 */
export function correctTypingErrors(question: string, corrections: readonly Correction[]): string {
  return corrections.reduce((text, { word, replacements }) => {
    const [replacement] = replacements;
    const isCertain =
      replacement !== undefined && word.length >= minLetters && !isSubstitution(word, replacement);
    return isCertain ? text.replaceAll(wordPattern(word), () => replacement) : text;
  }, question);
}

function isSubstitution(word: string, replacement: string): boolean {
  return word.length === replacement.length && sortLetters(word) !== sortLetters(replacement);
}

function sortLetters(word: string): string {
  return Array.from(word.toLowerCase()).sort().join('');
}

function wordPattern(word: string): RegExp {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'giu');
}
