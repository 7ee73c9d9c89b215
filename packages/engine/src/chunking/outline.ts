import { formatOf, isProse, type Format, type SourceText } from './format.js';
import { Lines } from './lines.js';
import { readStructure } from './read-structure.js';
import { rank, type Mark } from './structure.js';

const LINE_LENGTH = 400;

/**
 * The outline of a text: `peek` returns its headings or signatures, `skim` also the first line under each. Null when it
 * has none, and for data.
 */
export function outline(source: SourceText, density: 'peek' | 'skim'): string | null {
  const format = formatOf(source);
  if (!hasOutline(format)) return null;
  const lines = new Lines(source.text);
  const { marks } = readStructure(lines, format);
  // In Markdown, what is below all headings is the head of a table.
  const deepest = format === 'markdown' ? rank.deepest : Infinity;
  const sections = marks.filter(({ label, level }) => label !== null && level <= deepest);
  if (sections.length === 0) return null;
  const shown = sections.flatMap((section, index) => {
    const own = shownLine(lines, section.at);
    if (density === 'peek') return [own];
    const under = lineUnder(lines, section, sections[index + 1]?.line ?? lines.count);
    return under === null ? [own] : [own, under];
  });
  return shown.join('\n');
}

function hasOutline(format: Format): boolean {
  return (
    isProse(format) ||
    format === 'code' ||
    format === 'lisp' ||
    format === 'sql' ||
    format === 'shell'
  );
}

/** The first meaningful line below a heading, before the next section. */
function lineUnder(lines: Lines, section: Mark, before: number): string | null {
  for (let line = section.at + 1; line < before; line++) {
    const text = shownLine(lines, line);
    if (/[\p{L}\p{N}]/u.test(text)) return text;
  }
  return null;
}

function shownLine(lines: Lines, line: number): string {
  const start = lines.start(line);
  const end = lines.end(line);
  if (end - start <= LINE_LENGTH) return lines.slice(line).trimEnd();
  return `${lines.text.slice(start, start + LINE_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
