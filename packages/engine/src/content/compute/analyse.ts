import type { TrainedState } from '@trove/core/model';
import { documentTerms, languageOf } from '@trove/text/analyzer';
import { embeddingTermsOf, embeddingText } from './embedding-text.js';
import type { AnalyseRequest, AnalyseResult } from './messages.js';

/** Rows that are analysed and embedded together. Terms take ten times the memory of the text. */
export const rowsPerBatch = 64;

/**
 * The sample that determines an object's language: some hundred words. Reading all words would take a sixth of the
 * time.
 */
const maxSampledChunks = 8;
const maxSampledChars = 300;

/** Embeds texts whose terms are known. Vectors are in order of the texts; null for a text without a usable vector. */
export type EmbedTexts = (
  texts: readonly string[],
  terms: readonly (readonly string[])[],
  trainedState: TrainedState | null,
) => Promise<readonly (Float32Array | null)[]>;

/** Adds terms and vectors to rows. Without `embed`, vectors are added later. */
export async function analyse(
  { path, chunks, isCode, trainedState }: AnalyseRequest,
  embed: EmbedTexts | null,
): Promise<AnalyseResult> {
  const language = isCode ? null : languageOf(sampleOf(chunks));
  const texts: string[] = [];
  const terms: string[][] = [];
  const embeddingTerms = embeddingTermsOf(path);
  const analysed = chunks.map(({ row, context, names, members }) => {
    const { content, title } = row;
    const text = { content, title: title ?? undefined, path, context, names, members, language };
    const found = documentTerms(text);
    texts.push(embeddingText(path, title, context, content));
    terms.push(embeddingTerms(title, context, found.contentTerms));
    return { ...row, terms: found.terms, pairs: found.pairs };
  });
  const vectors = await embed?.(texts, terms, trainedState);
  return {
    rows: analysed.map((row, at) => ({ ...row, vector: vectors?.[at] ?? null })),
    texts: embed === null ? texts : null,
  };
}

/** Joins the beginnings of chunks that are spread over the object. All chunks share one language. */
function sampleOf(chunks: AnalyseRequest['chunks']): string {
  const step = Math.ceil(chunks.length / maxSampledChunks);
  return chunks
    .filter((_, at) => at % step === 0)
    .map(({ row }) => row.content.slice(0, maxSampledChars))
    .join('\n');
}
