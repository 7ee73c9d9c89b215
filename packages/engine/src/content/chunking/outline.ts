import { formatOf, isProse, type TextFormat, type ClassifiedText } from './format.js';
import { Lines } from './lines.js';
import { definitionAt, quotedLines, minorDefinitionAt } from './outline-definitions.js';
import { readStructure } from './read-structure.js';
import { signatureAt } from './signature.js';
import { rank, type SectionMark } from './structure.js';

const maxLineChars = 400;
/** SQL statements with a signature. The columns of a table are its body. */
const routine =
  /^\s*(?:create|alter)\s(?:\s*or\s+replace\s)?\s*(?:function|procedure|view|index|unique|trigger)\b/i;

/** A heading or definition in an outline. */
interface OutlineEntry {
  /** 0-based. */
  readonly line: number;
  /** The last line of the signature, 0-based. */
  readonly last: number;
  readonly text: string;
}

/**
 * Returns the outline of a text with line numbers. `peek` returns headings or signatures; `skim` adds the first line
 * under each. Returns null for data and for texts without headings or definitions.
 */
export function outline(source: ClassifiedText, density: 'peek' | 'skim'): string | null {
  const format = formatOf(source);
  if (!hasOutline(format)) return null;
  const lines = new Lines(source.text);
  const { marks } = readStructure(lines, format);
  const entries =
    format === 'code' ? definitions(lines, marks, source) : headings(lines, marks, format);
  if (entries.length === 0) return null;
  const shown = entries.flatMap(({ line, last, text }, index) => {
    const own = numbered(line, line === last ? shortened(text) : text);
    if (density === 'peek') return [own];
    const under = lineUnder(lines, last, entries[index + 1]?.line ?? lines.count);
    return under === null ? [own] : [own, under];
  });
  return shown.join('\n');
}

function hasOutline(format: TextFormat): boolean {
  return (
    isProse(format) ||
    format === 'code' ||
    format === 'lisp' ||
    format === 'sql' ||
    format === 'shell'
  );
}

function headings(lines: Lines, marks: readonly SectionMark[], format: TextFormat): OutlineEntry[] {
  // In Markdown, a level below all headings is the head of a table.
  const deepest = format === 'markdown' ? rank.deepest : Infinity;
  return marks
    .filter(({ label, level }) => label !== null && level <= deepest)
    .map(({ headingLine }) => {
      const text = lines.slice(headingLine).trimEnd();
      const signature =
        format === 'sql' && routine.test(text) ? signatureAt(lines, headingLine) : null;
      return {
        line: headingLine,
        last: signature?.last ?? headingLine,
        text: signature?.text ?? text,
      };
    });
}

function definitions(
  lines: Lines,
  marks: readonly SectionMark[],
  source: ClassifiedText,
): OutlineEntry[] {
  const marked = new Set(
    marks.filter(({ label }) => label !== null).map(({ headingLine }) => headingLine),
  );
  const quoted = quotedLines(lines);
  const entries: OutlineEntry[] = [];
  for (let line = 0; line < lines.count; line++) {
    if (quoted.has(line)) continue;
    const definition = marked.has(line) ? definitionAt : minorDefinitionAt;
    const signature = definition(lines, line, source);
    if (signature === null) continue;
    entries.push({ line, last: signature.last, text: signature.text });
    line = signature.last;
  }
  return entries;
}

/** Returns the first meaningful line below a heading and before the next section. */
function lineUnder(lines: Lines, last: number, before: number): string | null {
  for (let line = last + 1; line < before; line++) {
    const text = shortened(lines.slice(line).trimEnd());
    if (/[\p{L}\p{N}]/u.test(text)) return numbered(line, text);
  }
  return null;
}

function numbered(line: number, text: string): string {
  return `${line + 1}: ${text}`;
}

function shortened(text: string): string {
  if (text.length <= maxLineChars) return text;
  return `${text.slice(0, maxLineChars).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
