import type { PdfLine } from './lines.js';

/** The number of lines at the top and bottom of a page that may be its header and footer. */
const edge = 2;
const minPages = 4;

/** Removes edge lines that most pages repeat, except the first occurrence. */
export function dropRepeated(pages: readonly (readonly PdfLine[])[]): PdfLine[][] {
  const counts = new Map<string, number>();
  for (const lines of pages) {
    const keys = new Set(lines.map((_, i) => keyAt(lines, i)));
    for (const key of keys) if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const often = Math.max(minPages, pages.length / 2);
  const met = new Set<string>();
  return pages.map((lines) =>
    lines.filter((_, i) => {
      const key = keyAt(lines, i);
      if (key === undefined || (counts.get(key) ?? 0) < often) return true;
      const isFirst = !met.has(key);
      met.add(key);
      return isFirst;
    }),
  );
}

/**
 * Returns a key that is equal for repeated lines, whose first and last words may be page numbers. Undefined away from
 * the edges.
 */
function keyAt(lines: readonly PdfLine[], index: number): string | undefined {
  const line = lines[index];
  const fromEdge = Math.min(index, lines.length - 1 - index);
  if (line === undefined || fromEdge >= edge) return undefined;
  const text = line.text.slice(0, 200);
  return `${Math.round(line.size)} ${fromEdge === 0 ? text.replaceAll(/\d+/g, '#') : text}`;
}
