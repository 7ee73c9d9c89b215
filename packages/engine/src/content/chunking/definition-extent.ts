import type { Lines } from './lines.js';

/*
 * Finds the last line of a definition: the line that closes its body, or the last line with more indentation.
 */

/** Longer bodies are not searched for their end. */
const maxLines = 20_000;
/** Visited lines for each line of a text. Definitions with nested bodies visit a line once for each level. */
const maxVisitsPerLine = 20;
/** Longer lines do not end a body that people have written. */
const maxLineChars = 400;
const trailingComment = /\s(?:\/\/|#\s).*$|\s*\/\*(?:[^*]|\*(?!\/))*\*\/$/;
const opener = /[{([]$/;
const closer = /^(?:[)}\]]|#?-?\}|end\b)/;
/** Parts of a body at the indentation of its definition. */
const continuation =
  /^(?:else|elsif|elif|rescue|ensure|catch|after|when|except|finally|private|public|protected)\b/;
const commentStart = /^(?:\/\/|\/\*|\*|#|--|;|%)/;

/** Finds the ends of the definitions in one text. The total time is linear, whatever the text contains. */
export class DefinitionEnds {
  readonly #lines: Lines;
  /** Lines inside strings and comments. */
  readonly #quoted: ReadonlySet<number>;
  #visitsLeft: number;

  constructor(lines: Lines, quoted: ReadonlySet<number>) {
    this.#lines = lines;
    this.#quoted = quoted;
    this.#visitsLeft = maxVisitsPerLine * lines.count + maxLines;
  }

  /**
   * Returns the last line, numbered from 0, of the definition with a signature from `first` to `last`. Without an end in
   * reach, returns `last`.
   */
  endOf({ first, last }: { readonly first: number; readonly last: number }): number {
    const lines = this.#lines;
    const column = columnOf(lines, first);
    if (textOf(lines, first).endsWith('\\')) return this.#macroEnd(first);
    if (textOf(lines, last).endsWith(';')) return last;
    const opening = lineThatOpens(lines, last);
    const closing = opening === null ? null : this.#closingLine(opening + 1, column);
    return closing ?? this.#lastIndentedLine(last + 1, column);
  }

  /** Returns the line of the closing bracket, which is indented like the definition; null if there is none. */
  #closingLine(from: number, column: number): number | null {
    const lines = this.#lines;
    for (const line of this.#following(from)) {
      if (this.#quoted.has(line) || columnOf(lines, line) > column) continue;
      const text = textOf(lines, line);
      if (closer.test(text)) {
        if (!opener.test(text)) return line;
      } else if (columnOf(lines, line) < column && !/^#|:$/.test(text)) {
        return null;
      }
    }
    return null;
  }

  /** Returns the last line with more indentation than the definition, and an `end` below it. */
  #lastIndentedLine(from: number, column: number): number {
    const lines = this.#lines;
    let end = from - 1;
    for (const line of this.#following(from)) {
      if (this.#quoted.has(line) || columnOf(lines, line) > column) {
        end = line;
        continue;
      }
      const text = textOf(lines, line);
      if (columnOf(lines, line) === column && closer.test(text)) return line;
      if (!continuation.test(text) && !commentStart.test(text)) return end;
    }
    return end;
  }

  /** A macro continues while its lines end with a backslash. */
  #macroEnd(first: number): number {
    let end = first;
    for (const line of this.#following(first)) {
      end = line;
      if (!textOf(this.#lines, line).endsWith('\\')) break;
    }
    return end;
  }

  /** Yields the lines from one on that are not blank, as far as the limits allow. */
  *#following(from: number): Generator<number> {
    const end = Math.min(this.#lines.count, from + maxLines);
    for (let line = from; line < end && this.#visitsLeft > 0; line++) {
      this.#visitsLeft--;
      if (!this.#lines.isBlank(line)) yield line;
    }
  }
}

/** Returns the line of the bracket that opens the body: the last of the signature or the next. */
function lineThatOpens(lines: Lines, last: number): number | null {
  if (opener.test(textOf(lines, last))) return last;
  const next = nextText(lines, last + 1);
  return next !== null && textOf(lines, next) === '{' ? next : null;
}

function nextText(lines: Lines, from: number): number | null {
  for (let line = from; line < Math.min(lines.count, from + 2); line++)
    if (!lines.isBlank(line)) return line;
  return null;
}

/** Returns the beginning of a line without a comment at its end. */
function textOf(lines: Lines, line: number): string {
  const start = lines.contentStart(line);
  const text = lines.text.slice(start, Math.min(lines.end(line), start + maxLineChars)).trimEnd();
  return text.replace(trailingComment, '');
}

export function columnOf(lines: Lines, line: number): number {
  return lines.column(line, lines.contentStart(line));
}
