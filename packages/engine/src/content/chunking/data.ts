import type { Lines } from './lines.js';
import { IndentedMarks, toLabel, rank, type SectionMark, type TextStructure } from './structure.js';

const quoteCode = 34;
const openingKey = /"([^"\\\r\n]{1,120})"[ \t]*:[ \t]*[[{][ \t]*$/my;
const yamlKey = /(?:- )?(["']?)([\w./@-][\w ./@-]{0,119})\1[ \t]*:[ \t]*(?:#.*)?$/my;
const section = /\[{1,2}([^\]\r\n]{1,160})\]{1,2}[ \t]*$/my;

/** Reads JSON and YAML. Less indented lines start chunks better, and the keys above a line form its path. */
export function readIndented(lines: Lines, format: 'json' | 'yaml'): TextStructure {
  const key = format === 'json' ? openingKey : yamlKey;
  const ranks = new Uint8Array(lines.count).fill(rank.line);
  const sections = new IndentedMarks();
  for (let line = 0; line < lines.count; line++) {
    const textStart = lines.contentStart(line);
    if (textStart === lines.end(line)) continue;
    if (isClosing(lines.text.charCodeAt(textStart))) {
      ranks[line] = rank.inside;
      continue;
    }
    const column = lines.column(line, textStart);
    ranks[line] = Math.min(rank.top + Math.ceil(column / 2), rank.deepest);
    key.lastIndex = textStart;
    const name = key.exec(lines.text)?.at(-1);
    if (name === undefined) sections.closeAt(line, column);
    else sections.open(line, line, column, toLabel(name));
  }
  return { lines, ranks, marks: sections.marks, commonContext: '', title: null };
}

/** Reads TOML and INI. Sections start chunks better than blank lines. */
export function readIni(lines: Lines): TextStructure {
  const ranks = new Uint8Array(lines.count).fill(rank.line);
  const marks: SectionMark[] = [];
  let afterBlank = true;
  for (let line = 0; line < lines.count; line++) {
    const textStart = lines.contentStart(line);
    if (textStart === lines.end(line)) {
      afterBlank = true;
      continue;
    }
    section.lastIndex = textStart;
    const name = section.exec(lines.text)?.[1];
    if (name === undefined) {
      ranks[line] = afterBlank ? rank.paragraph : rank.line;
    } else {
      ranks[line] = rank.top;
      marks.push({ line, headingLine: line, level: 0, label: toLabel(name) });
    }
    afterBlank = false;
  }
  return { lines, ranks, marks, commonContext: '', title: null };
}

/** Reads one record per line. A chunk takes as many records as fit. */
export function readRows(lines: Lines): TextStructure {
  const ranks = new Uint8Array(lines.count).fill(rank.line);
  return { lines, ranks, marks: [], commonContext: '', title: null };
}

/** Reads CSV. Records with line breaks inside quotes stay whole, and the header is the context of every chunk. */
export function readCsv(lines: Lines): TextStructure {
  const ranks = new Uint8Array(lines.count).fill(rank.line);
  let quoted = false;
  for (let line = 0; line < lines.count; line++) {
    if (quoted) ranks[line] = rank.inside;
    if (hasOddQuotes(lines, line)) quoted = !quoted;
  }
  return {
    lines,
    ranks,
    marks: [],
    commonContext: lines.count === 0 ? '' : toLabel(lines.slice(0)),
    title: null,
  };
}

function hasOddQuotes(lines: Lines, line: number): boolean {
  const end = lines.end(line);
  let odd = false;
  for (let at = lines.start(line); at < end; at++) {
    if (lines.text.charCodeAt(at) === quoteCode) odd = !odd;
  }
  return odd;
}

/** Whether a character is `}`, `]` or `)`. */
function isClosing(code: number): boolean {
  return code === 125 || code === 93 || code === 41;
}
