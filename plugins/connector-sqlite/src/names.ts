/** An identifier as SQL takes it, whatever it contains. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A name as one level of a path: `/` and `%` are escaped, and what would not be a name there. */
export function segmentOf(name: string): string {
  if (name === '') return '%';
  if (name === '.' || name === '..') return name.replaceAll('.', '%2E');
  return name.replaceAll('%', '%25').replaceAll('/', '%2F');
}
