const maxTitleLength = 120;

/**
 * Returns the title of a passage: `metadata.title`, else its first line if that has at most 120 characters and text
 * follows. The marks of a heading are not part of it.
 */
export function titleOf(metadata: Readonly<Record<string, unknown>>, text: string): string | null {
  const { title } = metadata;
  if (typeof title === 'string' && title.trim() !== '') return title.trim();
  const end = text.indexOf('\n');
  if (end < 0 || end > maxTitleLength) return null;
  const line = text
    .slice(0, end)
    .replace(/^#{1,6}[ \t]+/u, '')
    .trim();
  return line === '' || text.slice(end).trim() === '' ? null : line;
}
