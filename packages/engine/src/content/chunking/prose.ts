import type { Lines } from './lines.js';
import { proseRank } from './paragraphs.js';
import { firstLabel, toLabel, rank, type SectionMark, type TextStructure } from './structure.js';

const underline = /([=\-~^"'*+#:.`_])\1{2,}[ \t]*$/my;
const equalsHeading = /={1,6}(?=[ \t]+\S)/y;
const maxTitleColumns = 120;

/**
 * Reads plain text and reStructuredText. Headings are underlined, and underline characters get levels in order of
 * appearance.
 */
export function readProse(lines: Lines): TextStructure {
  const ranks = new Uint8Array(lines.count).fill(rank.line);
  const marks: SectionMark[] = [];
  const levels = new Map<string, number>();
  let afterBlank = true;
  let above = -1;
  for (let line = 0; line < lines.count; line++) {
    const textStart = lines.contentStart(line);
    if (textStart === lines.end(line)) {
      afterBlank = true;
      above = -1;
      continue;
    }
    const character = above === -1 ? null : underlineOf(lines, line, textStart, above);
    if (character === null) {
      ranks[line] = proseRank(lines, line, textStart, afterBlank);
      above = lines.end(line) - textStart <= maxTitleColumns ? line : -1;
    } else {
      const level = Math.min(levels.get(character) ?? levels.size + 1, rank.deepest);
      levels.set(character, level);
      ranks[line] = rank.inside;
      ranks[above] = level;
      marks.push({ line: above, headingLine: above, level, label: toLabel(lines.slice(above)) });
      above = -1;
    }
    afterBlank = false;
  }
  return { lines, ranks, marks, commonContext: '', title: firstLabel(marks) };
}

function underlineOf(lines: Lines, line: number, textStart: number, above: number): string | null {
  if (textStart !== lines.start(line)) return null;
  underline.lastIndex = textStart;
  const character = underline.exec(lines.text)?.[1];
  if (character === undefined) return null;
  const title = lines.slice(above).trim();
  return title.length <= lines.end(line) - textStart + 2 && /[\p{L}\p{N}]/u.test(title)
    ? character
    : null;
}

/** Reads AsciiDoc. Headings start with `=`. */
export function readAsciidoc(lines: Lines): TextStructure {
  const ranks = new Uint8Array(lines.count).fill(rank.line);
  const marks: SectionMark[] = [];
  let afterBlank = true;
  for (let line = 0; line < lines.count; line++) {
    const textStart = lines.contentStart(line);
    if (textStart === lines.end(line)) {
      afterBlank = true;
      continue;
    }
    const level = asciidocLevel(lines, line, textStart);
    ranks[line] = level > 0 ? level : proseRank(lines, line, textStart, afterBlank);
    if (level > 0) {
      const text = lines.text.slice(textStart + level, lines.end(line));
      marks.push({ line, headingLine: line, level, label: toLabel(text) });
    }
    afterBlank = false;
  }
  return { lines, ranks, marks, commonContext: '', title: firstLabel(marks) };
}

function asciidocLevel(lines: Lines, line: number, textStart: number): number {
  if (textStart !== lines.start(line) || lines.text.charCodeAt(textStart) !== 61) return 0;
  equalsHeading.lastIndex = textStart;
  return equalsHeading.exec(lines.text)?.[0].length ?? 0;
}
