const SYMBOLS_FOR_CONTROLS = 0x2400;
const SYMBOL_FOR_DELETE = '\u2421';

/**
 * Makes text safe for a terminal: control characters other than tabs and line breaks, and characters that reorder text,
 * become visible.
 */
export function printable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f]/g, (char) =>
      String.fromCharCode(SYMBOLS_FOR_CONTROLS + char.charCodeAt(0)),
    )
    .replaceAll('\u007f', SYMBOL_FOR_DELETE)
    .replace(
      /[\u0080-\u009f\u202a-\u202e\u2066-\u2069]/g,
      (char) => `<U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`,
    );
}

/** The same for a name, where line breaks and tabs also become visible. */
export function printableName(text: string): string {
  return printable(text).replaceAll('\n', '\u240a').replaceAll('\t', '\u2409');
}
