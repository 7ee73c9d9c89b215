import type { Line } from './lines.js';

/** Lines at the top and at the bottom of a page that may be its header and footer. */
const EDGE = 2;
const MIN_PAGES = 4;

/** Leaves out what most pages repeat at their edges, wherever it is not met for the first time. */
export function withoutRepeated(pages: readonly (readonly Line[])[]): Line[][] {
  const counts = new Map<string, number>();
  for (const lines of pages) {
    const keys = new Set(lines.map((_, i) => keyAt(lines, i)));
    for (const key of keys) if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const often = Math.max(MIN_PAGES, pages.length / 2);
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

/** What is equal for lines that repeat: the first and the last may count the pages. Undefined away from the edges. */
function keyAt(lines: readonly Line[], index: number): string | undefined {
  const line = lines[index];
  const fromEdge = Math.min(index, lines.length - 1 - index);
  if (line === undefined || fromEdge >= EDGE) return undefined;
  const text = line.text.slice(0, 200);
  return `${Math.round(line.size)} ${fromEdge === 0 ? text.replaceAll(/\d+/g, '#') : text}`;
}
