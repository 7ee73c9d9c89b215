import { analyze } from '@trove/text/analyzer';

/** Returns the text to embed for a chunk: its path, title and context, then its content. */
export function embeddingText(
  path: string,
  title: string | null,
  context: string,
  content: string,
): string {
  return [...locationLines(path, title, context), content].filter((part) => part !== '').join('\n');
}

/** Returns the terms of an `embeddingText` from the known terms of its content. */
export type EmbeddingTerms = (
  title: string | null,
  context: string,
  contentTerms: readonly string[],
) => string[];

/** Analyses the location of each chunk. Caches the last location, because adjacent chunks usually share it. */
export function embeddingTermsOf(path: string): EmbeddingTerms {
  let last: { readonly location: string; readonly terms: readonly string[] } | null = null;
  return (title, context, contentTerms) => {
    // No word spans a line break, so the parts can be analysed separately.
    const location = locationLines(path, title, context).join('\n');
    if (last?.location !== location) last = { location, terms: analyze(location) };
    return [...last.terms, ...contentTerms];
  };
}

function locationLines(path: string, title: string | null, context: string): string[] {
  return [path, title ?? '', context];
}
