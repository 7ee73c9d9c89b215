/** The part of an object that a hit names. */
export type PartLocator = Readonly<Record<string, unknown>> | null;

/** Returns the first and last line of a locator with lines. */
export function linesOf(locator: PartLocator): readonly [number, number] | null {
  const lines = locator?.['lines'];
  if (!Array.isArray(lines)) return null;
  const [from, to]: unknown[] = lines;
  return typeof from === 'number' && typeof to === 'number' ? [from, to] : null;
}

/** Formats a locator for people: `lines 3 to 9`, `id 7`. */
export function shownLocator(locator: PartLocator): string {
  if (locator === null) return '';
  const lines = linesOf(locator);
  if (lines !== null) {
    return lines[0] === lines[1] ? `line ${lines[0]}` : `lines ${lines[0]} to ${lines[1]}`;
  }
  return Object.entries(locator)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
