/** What a source occupies. */
export interface SourceShare {
  /** Chunks of the source, and of all sources. */
  readonly chunks: number;
  readonly allChunks: number;
  /** The size of the index. Null: unknown. */
  readonly indexBytes: number | null;
  /** The size of the files that only this source has. */
  readonly fileBytes: number;
}

/** Returns the bytes of a source: its files, and its share of the index by chunks. Null if the index is unknown. */
export function diskUseOf({
  chunks,
  allChunks,
  indexBytes,
  fileBytes,
}: SourceShare): number | null {
  if (indexBytes === null) return null;
  const share = allChunks === 0 ? 0 : chunks / allChunks;
  return fileBytes + Math.round(indexBytes * share);
}
