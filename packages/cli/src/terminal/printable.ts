const symbolsForControls = 0x2400;
const symbolForDelete = '\u2421';

/** Makes control characters and characters that reorder text visible. Keeps tabs and line breaks. */
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

/** Like `toPrintable`, but also makes line breaks and tabs visible. */
export function toPrintableName(text: string): string {
  return toPrintable(text).replaceAll('\n', '\u240a').replaceAll('\t', '\u2409');
}
