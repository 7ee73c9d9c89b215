/** A name as one level of a path: `/` and `%` are escaped, and what would not be a name there. */
export function segmentOf(name: string): string {
  if (name === '') return '%';
  if (name === '.' || name === '..') return name.replaceAll('.', '%2E');
  return name.replaceAll('%', '%25').replaceAll('/', '%2F');
}

/** The name that a level of a path stands for; null: it stands for none. */
export function nameOf(segment: string): string | null {
  const name =
    segment === '%'
      ? ''
      : segment.replaceAll('%2E', '.').replaceAll('%2F', '/').replaceAll('%25', '%');
  return segmentOf(name) === segment ? name : null;
}
