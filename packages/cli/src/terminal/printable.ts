const symbolsForControls = 0x2400;
const symbolForDelete = '\u2421';

/**
 * Makes text safe for a terminal: control characters other than tabs and line breaks, and characters that reorder text,
 * become visible.
 */
export function toPrintable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f]/g, (char) =>
      String.fromCharCode(symbolsForControls + char.charCodeAt(0)),
    )
    .replaceAll('\u007f', symbolForDelete)
    .replace(
      /[\u0080-\u009f\u202a-\u202e\u2066-\u2069]/g,
      (char) => `<U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`,
    );
}

/** The same for a name, where line breaks and tabs also become visible. */
export function toPrintableName(text: string): string {
  return toPrintable(text).replaceAll('\n', '\u240a').replaceAll('\t', '\u2409');
}
