/** The text that is embedded for a chunk: where it stands, then what it says. */
export function embeddingText(
  path: string,
  title: string | null,
  context: string,
  content: string,
): string {
  return [path, title ?? '', context, content].filter((part) => part !== '').join('\n');
}
