import type { Lines } from './lines.js';

/*
 * Finds the last line of a definition: the line that closes its body, or the last line with more indentation.
 *
 * Each search visits a line once, up to `maxLines`.
 */

const maxLines = 20_000;
/** Longer lines do not end a body that people have written. */
const maxLineChars = 400;
const trailingComment = /\s(?:\/\/|#\s).*$|\s*\/\*(?:[^*]|\*(?!\/))*\*\/$/;
const opener = /[{([]$/;
const closer = /^(?:[)}\]]|#?-?\}|end\b)/;
/** Parts of a body at the indentation of its definition. */
const continuation =
  /^(?:else|elsif|elif|rescue|ensure|catch|after|when|except|finally|private|public|protected)\b/;
const commentStart = /^(?:\/\/|\/\*|\*|#|--|;|%)/;

/** Returns the last line, numbered from 0, of the definition with a signature from `first` to `last`. */
export function definitionEnd(
  lines: Lines,
  { first, last }: { readonly first: number; readonly last: number },
  quoted: ReadonlySet<number>,
): number {
  const column = columnOf(lines, first);
  if (textOf(lines, first).endsWith('\\')) return macroEnd(lines, first);
  if (textOf(lines, last).endsWith(';')) return last;
  const opening = lineThatOpens(lines, last);
  const closing =
    opening === null ? null : closingLine(lines, { from: opening + 1, column }, quoted);
  return closing ?? lastIndentedLine(lines, { from: last + 1, column }, quoted);
}

/** Returns the line of the bracket that opens the body: the last of the signature or the next. */
function lineThatOpens(lines: Lines, last: number): number | null {
  if (opener.test(textOf(lines, last))) return last;
  const next = nextText(lines, last + 1);
  return next !== null && textOf(lines, next) === '{' ? next : null;
}

/** Returns the line of the closing bracket, which is indented like the definition; null if there is none. */
function closingLine(
  lines: Lines,
  { from, column }: { readonly from: number; readonly column: number },
  quoted: ReadonlySet<number>,
): number | null {
  for (let line = from; line < Math.min(lines.count, from + maxLines); line++) {
    if (quoted.has(line) || lines.isBlank(line)) continue;
    if (columnOf(lines, line) > column) continue;
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
function lastIndentedLine(
  lines: Lines,
  { from, column }: { readonly from: number; readonly column: number },
  quoted: ReadonlySet<number>,
): number {
  let end = from - 1;
  for (let line = from; line < Math.min(lines.count, from + maxLines); line++) {
    if (lines.isBlank(line)) continue;
    if (quoted.has(line) || columnOf(lines, line) > column) {
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
function macroEnd(lines: Lines, first: number): number {
  let line = first;
  while (line + 1 < lines.count && textOf(lines, line).endsWith('\\')) line++;
  return line;
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
