const NOT_NAME = /[^\p{L}\p{M}\p{N}]+/gu;
/** Longer names are sentences; folding compatibility forms may make a text 18 times as long. */
const MAX_NAME_LENGTH = 512;

/**
 * The form of a name by which it is compared: compatibility forms and case folded, everything but letters, marks and
 * numbers one space. At most the first 512 characters count. Empty when the name has none of those.
 */
export function normalizeName(name: string): string {
  return folded(name.slice(0, MAX_NAME_LENGTH)).replace(NOT_NAME, ' ').trim();
}

const NOT_ASCII = /[^\p{ASCII}]/u;

/** `toLowerCase` alone leaves final sigma and sharp s apart from their capitals. */
function folded(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
