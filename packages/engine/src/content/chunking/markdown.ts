import type { Lines } from './lines.js';
import { proseRank } from './paragraphs.js';
import { firstLabel, toLabel, rank, type SectionMark, type TextStructure } from './structure.js';

const heading = /(#{1,6})(?=[ \t]|$)/my;
const underline = /(?:={2,}|-{2,})[ \t]*$/my;
const fence = /`{3,}|~{3,}/y;
/** The line between the head of a table and its rows. */
const delimiter = /\|[ \t|:-]*$/my;
const pipe = 124;
/** Lower than all headings. */
const tableLevel = rank.deepest + 1;
const maxFrontMatterLines = 200;

/** Reads Markdown: headings (`#` and underlined), heads of tables, fenced code, paragraphs and lists. */
export function readMarkdown(lines: Lines): TextStructure {
  const ranks = new Uint8Array(lines.count).fill(rank.line);
  const marks: SectionMark[] = [];
  const front = frontMatter(lines);
  let open: string | null = null;
  let afterBlank = true;
  // Whether an underline would turn the line above into a heading.
  let textAbove = false;
  let inTable = false;
  const endTable = (line: number): void => {
    if (inTable) marks.push({ line, headingLine: line, level: tableLevel, label: null });
    inTable = false;
  };
  for (let line = front.after; line < lines.count; line++) {
    const textStart = lines.contentStart(line);
    if (textStart === lines.end(line)) {
      afterBlank = true;
      textAbove = false;
      endTable(line);
      continue;
    }
    const isRow = open === null && lines.text.charCodeAt(textStart) === pipe;
    if (!isRow) endTable(line);
    else if (!inTable && isDelimiter(lines, line, textStart)) {
      const columns = headOfTable(lines, line - 1);
      inTable = columns !== '';
      if (inTable)
        marks.push({ line: line + 1, headingLine: line - 1, level: tableLevel, label: columns });
    }
    const ticks = fenceAt(lines, textStart);
    if (open !== null) {
      if (
        ticks?.startsWith(open) &&
        lines.text.slice(textStart + ticks.length, lines.end(line)).trim() === ''
      )
        open = null;
      ranks[line] = afterBlank ? rank.item : rank.line;
    } else if (ticks !== null) {
      open = ticks;
      ranks[line] = afterBlank ? rank.paragraph : rank.sentence;
      textAbove = false;
    } else {
      const level: number = headingLevel(lines, line, textStart);
      const under: number = textAbove ? underlineLevel(lines, line, textStart) : 0;
      if (level > 0) {
        ranks[line] = level;
        marks.push({
          line,
          headingLine: line,
          level,
          label: headingText(lines.text.slice(textStart + level, lines.end(line))),
        });
      } else if (under > 0) {
        ranks[line - 1] = under;
        marks.push({
          line: line - 1,
          headingLine: line - 1,
          level: under,
          label: toLabel(lines.slice(line - 1)),
        });
        ranks[line] = rank.inside;
      } else {
        ranks[line] = proseRank(lines, line, textStart, afterBlank);
      }
      textAbove = level === 0 && under === 0;
    }
    afterBlank = false;
  }
  const headings = marks.filter(({ level }) => level < tableLevel);
  return { lines, ranks, marks, commonContext: '', title: front.title ?? firstLabel(headings) };
}

function isDelimiter(lines: Lines, line: number, textStart: number): boolean {
  delimiter.lastIndex = textStart;
  return delimiter.test(lines.text) && lines.text.slice(textStart, lines.end(line)).includes('-');
}

/** Returns the column names of a table; '' for a line that is not a row. */
function headOfTable(lines: Lines, line: number): string {
  if (line < 0) return '';
  const textStart = lines.contentStart(line);
  if (lines.text.charCodeAt(textStart) !== pipe) return '';
  return toLabel(lines.text.slice(textStart + 1, lines.end(line))).replace(/[ |]+$/, '');
}

function fenceAt(lines: Lines, textStart: number): string | null {
  const code = lines.text.charCodeAt(textStart);
  if (code !== 96 && code !== 126) return null;
  fence.lastIndex = textStart;
  return fence.exec(lines.text)?.[0] ?? null;
}

function headingLevel(lines: Lines, line: number, textStart: number): number {
  if (lines.text.charCodeAt(textStart) !== 35 || lines.column(line, textStart) > 3) return 0;
  heading.lastIndex = textStart;
  return heading.exec(lines.text)?.[1]?.length ?? 0;
}

function underlineLevel(lines: Lines, line: number, textStart: number): number {
  const code = lines.text.charCodeAt(textStart);
  if ((code !== 61 && code !== 45) || lines.column(line, textStart) > 3) return 0;
  underline.lastIndex = textStart;
  if (!underline.test(lines.text)) return 0;
  return code === 61 ? 1 : 2;
}

function headingText(text: string): string {
  return toLabel(toLabel(text).replace(/[ \t]#+$/, ''));
}

/** Returns the first line after the front matter, a block between `---` lines at the very start, and its title. */
function frontMatter(lines: Lines): { after: number; title: string | null } {
  const none = { after: 0, title: null };
  if (lines.count === 0 || lines.slice(0).trimEnd() !== '---') return none;
  let title: string | null = null;
  for (let line = 1; line < Math.min(lines.count, maxFrontMatterLines); line++) {
    const text = lines.text.slice(
      lines.start(line),
      Math.min(lines.end(line), lines.start(line) + 1000),
    );
    if (/^(?:---|\.\.\.)\s*$/.test(text)) return { after: line + 1, title };
    const statedTitle = text.startsWith('title:') ? toLabel(unquoted(text.slice(6).trim())) : '';
    if (statedTitle !== '') title ??= statedTitle;
  }
  return none;
}

function unquoted(text: string): string {
  const quote = text.charAt(0);
  const isQuoted = text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote);
  return isQuoted ? text.slice(1, -1) : text;
}
