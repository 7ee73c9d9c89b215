import type { StoredPassage } from '../storage/passage.js';
import type { PassageDraft } from './draft.js';

/** Changes to the documents of a graph. */
export interface DocumentChanges {
  /** New and replacing documents, by id. */
  readonly upserts: ReadonlyMap<string, PassageDraft>;
  readonly removed: ReadonlySet<string>;
}

/** Yields the documents of a graph after changes: unchanged passages and new drafts. */
export async function* applyChanges(
  current: Iterable<StoredPassage>,
  { upserts, removed }: DocumentChanges,
): AsyncGenerator<PassageDraft | StoredPassage, void, undefined> {
  const open = new Map(upserts);
  for (const passage of current) {
    const { id } = passage;
    const draft = open.get(id);
    open.delete(id);
    if (draft !== undefined) yield draft;
    else if (!removed.has(id)) yield passage;
  }
  yield* open.values();
}
