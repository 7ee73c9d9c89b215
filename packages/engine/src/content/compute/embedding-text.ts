import { analyze } from '@trove/text/analyzer';

/** The text embedded for a chunk: where it is, then its content. */
export function embeddingText(
  path: string,
  title: string | null,
  context: string,
  content: string,
): string {
  return [...locationLines(path, title, context), content].filter((part) => part !== '').join('\n');
}

/** The result of `analyze` for an `embeddingText` when the terms of its content are known. */
export type EmbeddingTerms = (
  title: string | null,
  context: string,
  contentTerms: readonly string[],
) => string[];

/** For the chunks of an object, most of which stand in the same place as the one before. */
export function embeddingTermsOf(path: string): EmbeddingTerms {
  let last: { readonly place: string; readonly terms: readonly string[] } | null = null;
  return (title, context, contentTerms) => {
    // No word spans a line break, so the parts can be analysed one by one.
    const place = locationLines(path, title, context).join('\n');
    if (last?.place !== place) last = { place, terms: analyze(place) };
    return [...last.terms, ...contentTerms];
  };
}

function locationLines(path: string, title: string | null, context: string): string[] {
  return [path, title ?? '', context];
}
