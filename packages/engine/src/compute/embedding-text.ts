import { analyze } from '@trove/core/text';

/** The text embedded for a chunk: where it is, then its content. */
export function embeddingText(
  path: string,
  title: string | null,
  context: string,
  content: string,
): string {
  return [...surroundings(path, title, context), content].filter((part) => part !== '').join('\n');
}

/** The result of `analyze` for an `embeddingText` when the terms of its content are known. */
export function embeddingTerms(
  path: string,
  title: string | null,
  context: string,
  contentTerms: readonly string[],
): string[] {
  // No word spans a line break, so the parts can be analysed one by one.
  return [...analyze(surroundings(path, title, context).join('\n')), ...contentTerms];
}

function surroundings(path: string, title: string | null, context: string): string[] {
  return [path, title ?? '', context];
}
