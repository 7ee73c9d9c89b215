import type { LoadedDocument } from '../sources/document-loader.js';
import { joinSection } from '../identity/section.js';
import { TimeSlices } from '../time-slices.js';
import { chunksOf, type ChunkOptions } from './chunks.js';
import type { PassageDraft } from './draft.js';
import { SectionReader } from './sections.js';

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
  for await (const { source, type, title, text, isMarkdown } of documents) {
    counts.documents++;
    const chunks =
      chunking === null
        ? [{ text, section: '' }]
        : await splitIntoChunks(text, chunking, isMarkdown);
    for (const [at, chunk] of chunks.entries()) {
      counts.chunks++;
      yield {
        id: null,
        text: chunk.text,
        metadata: {
          source,
          source_type: type,
          title,
          chunk_index: at,
          total_chunks: chunks.length,
          ...(chunk.section === '' ? {} : { section: chunk.section }),
        },
        triplets: null,
      };
    }
  }
}

interface SectionChunk {
  readonly text: string;
  /** The headings above it. */
  readonly section: string;
}

async function splitIntoChunks(
  text: string,
  options: ChunkOptions,
  isMarkdown: boolean,
): Promise<SectionChunk[]> {
  const chunks: SectionChunk[] = [];
  const sections = new SectionReader(text);
  const slices = new TimeSlices();
  for (const chunk of chunksOf(text, options)) {
    const section = isMarkdown ? joinSection(sections.at(chunk.start)) : '';
    chunks.push({ text: chunk.text, section });
    await slices.yieldIfDue();
  }
  return chunks;
}
