const nonNameCharacters = /[^\p{L}\p{M}\p{N}]+/gu;
/** Longer names are sentences; folding compatibility forms may make a text 18 times as long. */
const maxNameLength = 512;

/**
 * The form of a name by which it is compared: compatibility forms and case folded, everything but letters, marks and
 * numbers one space. At most the first 512 characters count. Empty when the name has none of those.
 */
export function normalizeName(name: string): string {
  return foldName(name.slice(0, maxNameLength)).replace(nonNameCharacters, ' ').trim();
}

const nonAscii = /[^\p{ASCII}]/u;

/** `toLowerCase` alone leaves final sigma and sharp s apart from their capitals. */
function foldName(text: string): string {
  if (!nonAscii.test(text)) return text.toLowerCase();
  return text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
