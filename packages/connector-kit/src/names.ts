/** Escapes a name as one segment of a path: `/`, `%`, `.`, `..` and the empty name. */
export function segmentOf(name: string): string {
  if (name === '') return '%';
  if (name === '.' || name === '..') return name.replaceAll('.', '%2E');
  return name.replaceAll('%', '%25').replaceAll('/', '%2F');
}

/** Reverses `segmentOf`. Returns null for a segment that it never returns. */
export function nameOf(segment: string): string | null {
  const name =
    segment === '%'
      ? ''
      : segment.replaceAll('%2E', '.').replaceAll('%2F', '/').replaceAll('%25', '%');
  return segmentOf(name) === segment ? name : null;
}
