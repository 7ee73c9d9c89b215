/** Splits the text of a long record at line ends or spaces, never inside a surrogate pair. */
export function* chunkRecord(text: string, maxChars: number): Generator<string> {
  let start = 0;
  while (text.length - start > maxChars) {
    const window = text.slice(start, start + maxChars);
    const at = Math.max(window.lastIndexOf('\n'), window.lastIndexOf(' '));
    let length = at > maxChars / 2 ? at + 1 : maxChars;
    const last = text.charCodeAt(start + length - 1);
    if (last >= 0xd800 && last <= 0xdbff) length--;
    yield text.slice(start, start + length);
    start += length;
  }
  if (text.slice(start).trim() !== '') yield text.slice(start);
}
