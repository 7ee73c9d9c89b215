import type { LoadedDocument } from '../sources/document-loader.js';
import { TimeSlices } from '../time-slices.js';
import { chunksOf, type ChunkOptions } from './chunks.js';
import type { PassageDraft } from './draft.js';

/** The counts of an import so far. */
export interface ImportCounts {
  documents: number;
  chunks: number;
}

/** Yields drafts of documents, in chunks or whole. Counts documents and chunks. */
export async function* createImportDrafts(
  documents: AsyncIterable<LoadedDocument>,
  chunking: ChunkOptions | null,
  counts: ImportCounts,
): AsyncGenerator<PassageDraft, void, undefined> {
  for await (const { source, type, title, text } of documents) {
    counts.documents++;
    const chunks = chunking === null ? [text] : await splitIntoChunks(text, chunking);
    for (const [at, chunk] of chunks.entries()) {
      counts.chunks++;
      yield {
        id: null,
        text: chunk,
        metadata: {
          source,
          source_type: type,
          title,
          chunk_index: at,
          total_chunks: chunks.length,
        },
        triplets: null,
      };
    }
  }
}

async function splitIntoChunks(text: string, options: ChunkOptions): Promise<string[]> {
  const chunks: string[] = [];
  const slices = new TimeSlices();
  for (const chunk of chunksOf(text, options)) {
    chunks.push(chunk);
    await slices.yieldIfDue();
  }
  return chunks;
}
