import { definitionsOf } from './code-definitions.js';
import { formatOf, hasOutline, type ClassifiedText } from './format.js';
import { Lines } from './lines.js';

const maxLineChars = 400;
/** Maximum characters of a signature of code. */
const maxSignatureChars = 200;

/** A heading or definition in an outline. Lines are numbered from 1. */
export interface OutlineEntry {
  /** The line of the heading, or the first line of the signature. */
  readonly line: number;
  /** The last line of the section or definition. */
  readonly end: number;
  /** The heading or the whole signature on one line, with its indentation. */
  readonly text: string;
  /** The defined name or the title of the section; null for a definition without a name. */
  readonly name: string | null;
  /** 1 for the outermost headings or definitions. */
  readonly level: number;
}

export interface Outline {
  /** The entries as lines with line numbers. */
  readonly text: string;
  readonly entries: readonly OutlineEntry[];
}

/**
 * Returns the outline of a text. The text of `peek` has headings or signatures; `skim` adds the first line under each.
 * Returns null for data and for texts without headings or definitions.
 */
export function outline(source: ClassifiedText, density: 'peek' | 'skim'): Outline | null {
  const format = formatOf(source);
  if (!hasOutline(format)) return null;
  const definitions = definitionsOf(source, format);
  if (definitions.length === 0) return null;
  const maxChars = format === 'code' ? maxSignatureChars : maxLineChars;
  const entries = definitions.map(({ line, end, text, name, level }) => ({
    line: line + 1,
    end: end + 1,
    text: shortened(text, maxChars),
    name,
    level,
  }));
  const lines = new Lines(source.text);
  const shown = entries.flatMap(({ line, text }, index) => {
    const own = `${line}: ${text}`;
    if (density === 'peek') return [own];
    const last = definitions[index]?.last ?? line;
    const under = lineUnder(lines, last, definitions[index + 1]?.line ?? lines.count);
    return under === null ? [own] : [own, under];
  });
  return { text: shown.join('\n'), entries };
}

/** Returns the first meaningful line below a heading and before the next section. */
function lineUnder(lines: Lines, last: number, before: number): string | null {
  for (let line = last + 1; line < before; line++) {
    const text = shortened(lines.slice(line).trimEnd(), maxLineChars);
    if (/[\p{L}\p{N}]/u.test(text)) return `${line + 1}: ${text}`;
  }
  return null;
}

function shortened(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
