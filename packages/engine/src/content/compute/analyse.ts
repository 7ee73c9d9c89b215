import type { TrainedState } from '@trove/core/model';
import { documentTerms, languageOf } from '@trove/text/analyzer';
import { embeddingTermsOf, embeddingText } from './embedding-text.js';
import type { AnalyseRequest, AnalyseResult } from './messages.js';

/** Rows analysed and then embedded at a time: terms take ten times the memory of the text. */
export const rowsPerBatch = 64;

/** What of an object is looked at to tell its language: some hundred words, since all of them take a sixth of the time. */
const maxSampledChunks = 8;
const maxSampledChars = 300;

/** Vectors of texts whose terms are known, in order; null for a text without a usable one. */
export type EmbedTexts = (
  texts: readonly string[],
  terms: readonly (readonly string[])[],
  fit: TrainedState | null,
) => Promise<readonly (Float32Array | null)[]>;

/** Adds terms to rows, and vectors. Without `embed`, vectors come later. */
export async function analyse(
  { path, chunks: passages, isCode, trainedState: fit }: AnalyseRequest,
  embed: EmbedTexts | null,
): Promise<AnalyseResult> {
  const language = isCode ? null : languageOf(sampleOf(passages));
  const texts: string[] = [];
  const terms: string[][] = [];
  const embeddingTerms = embeddingTermsOf(path);
  const analysed = passages.map(({ row, context, names, members }) => {
    const { content, title } = row;
    const text = { content, title: title ?? undefined, path, context, names, members, language };
    const found = documentTerms(text);
    texts.push(embeddingText(path, title, context, content));
    terms.push(embeddingTerms(title, context, found.contentTerms));
    return { ...row, terms: found.terms, pairs: found.pairs };
  });
  const vectors = await embed?.(texts, terms, fit);
  return {
    rows: analysed.map((row, at) => ({ ...row, vector: vectors?.[at] ?? null })),
    texts: embed === null ? texts : null,
  };
}

/** The beginnings of some passages from all over an object, which is in one language. */
function sampleOf(passages: AnalyseRequest['chunks']): string {
  const step = Math.ceil(passages.length / maxSampledChunks);
  return passages
    .filter((_, at) => at % step === 0)
    .map(({ row }) => row.content.slice(0, maxSampledChars))
    .join('\n');
}
