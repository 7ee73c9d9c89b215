/** Splits a text into words with the white space before them. */
export function piecesOf(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}
