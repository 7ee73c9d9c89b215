const nonNameCharacters = /[^\p{L}\p{M}\p{N}]+/gu;
/** Longer names are sentences. Folding compatibility forms may lengthen a text 18 times. */
const maxNameLength = 512;

/**
 * Returns the form of a name for comparison. Folds compatibility forms and case, and replaces all but letters, marks
 * and numbers by single spaces. Only the first 512 characters count. May be empty.
 */
export function normalizeName(name: string): string {
  return foldName(name.slice(0, maxNameLength)).replace(nonNameCharacters, ' ').trim();
}

const nonAscii = /[^\p{ASCII}]/u;

/** `toLowerCase` alone does not equate final sigma and sharp s with their capitals. */
function foldName(text: string): string {
  if (!nonAscii.test(text)) return text.toLowerCase();
  return text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
