const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const tab = 9;
const tabWidth = 4;

/**
 * The lines of a text, numbered from 0. A line ends with `\n`, with `\r\n` or with the text, as in ranges and
 * locators. Holds only offsets, so a large text is not copied.
 */
export class Lines {
  readonly text: string;
  readonly count: number;
  readonly #starts: Uint32Array;

  constructor(text: string) {
    this.text = text;
    this.count = countLines(text);
    this.#starts = new Uint32Array(this.count + 1);
    let start = 0;
    for (let line = 0; line < this.count; line++) {
      this.#starts[line] = start;
      const end = text.indexOf('\n', start);
      start = end === -1 ? text.length : end + 1;
    }
    this.#starts[this.count] = start;
  }

  start(line: number): number {
    return this.#starts[line] ?? this.text.length;
  }

  /** Returns the offset after the last character of the line, without its line ending. */
  end(line: number): number {
    let end = this.start(line + 1);
    if (end > this.start(line) && this.text.charCodeAt(end - 1) === lineFeed) {
      end--;
      if (end > this.start(line) && this.text.charCodeAt(end - 1) === carriageReturn) end--;
    }
    return end;
  }

  /** Returns the offset of the first character that is not white space, or the end of a blank line. */
  contentStart(line: number): number {
    const end = this.end(line);
    let at = this.start(line);
    while (at < end && isBlankAt(this.text, at)) at++;
    return at;
  }

  isBlank(line: number): boolean {
    return this.contentStart(line) === this.end(line);
  }

  /** Returns the indentation up to an offset, in columns. A tab counts as four. */
  column(line: number, textStart: number): number {
    let column = 0;
    for (let at = this.start(line); at < textStart; at++) {
      column += this.text.charCodeAt(at) === tab ? tabWidth : 1;
    }
    return column;
  }

  slice(line: number): string {
    return this.text.slice(this.start(line), this.end(line));
  }
}

/** Whether a character is white space, as defined by `trim`. */
export function isBlankAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code > space && code < 0xa0) return false;
  if (code <= space) return code === space || (code >= tab && code <= carriageReturn);
  return text.charAt(at).trim() === '';
}

function countLines(text: string): number {
  let count = 0;
  for (let start = 0; start < text.length; count++) {
    const end = text.indexOf('\n', start);
    if (end === -1) return count + 1;
    start = end + 1;
  }
  return count;
}
