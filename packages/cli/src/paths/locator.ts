type HitLocator = Readonly<Record<string, unknown>> | null;

/** Returns the first and last line of a locator with lines. */
export function linesOf(locator: HitLocator): readonly [number, number] | undefined {
  const lines = locator?.['lines'];
  if (!Array.isArray(lines)) return undefined;
  const [from, to]: unknown[] = lines;
  return typeof from === 'number' && typeof to === 'number' ? [from, to] : undefined;
}

/** Returns `:12-20`, `:12`, `:{"id":7}`, ` (summary)`, or an empty text. */
export function displayLocator(locator: HitLocator): string {
  if (locator === null) return '';
  const lines = linesOf(locator);
  if (typeof locator['chunk_kind'] === 'string') return ` (${locator['chunk_kind']})`;
  if (lines === undefined) return `:${JSON.stringify(locator)}`;
  return lines[0] === lines[1] ? `:${lines[0]}` : `:${lines[0]}-${lines[1]}`;
}
