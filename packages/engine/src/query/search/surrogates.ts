/** Whether an offset splits a character of two UTF-16 code units. */
export function isInsidePair(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
