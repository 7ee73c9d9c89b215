import type { TroveClient } from '@trove/client';
import { safeLink } from '../parts/names.js';
import { readHref } from '../read/read-href.js';
import { lineRangeOf } from '../parts/citations.js';

/** A passage of an answer, or a document. */
export interface SourcedPassage {
  readonly id: string;
  readonly text: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Returns the title of a passage. */
export function titleOf({ id, metadata: { title, source } }: SourcedPassage): string {
  return [title, source, id].find(isText) ?? id;
}

/** Returns the path or the address of a passage, or null if its metadata has none. */
export function sourceOf({ metadata: { source } }: SourcedPassage): string | null {
  return isText(source) ? source : null;
}

/** Returns the address of a passage on the web, or null. */
export function webLinkOf(passage: SourcedPassage): string | null {
  const source = sourceOf(passage);
  return source?.startsWith('http') === true ? safeLink(source) : null;
}

/** Whether a registered source may hold the object of a passage. */
export function isReadable(passage: SourcedPassage): boolean {
  const source = sourceOf(passage);
  if (source === null || webLinkOf(passage) !== null) return false;
  return source.startsWith('/') || source.includes('://');
}

/** Returns the address of a passage in its object. Without the lines if its text has changed. */
export async function findPassage(
  passage: SourcedPassage,
  { browse }: TroveClient,
): Promise<string> {
  const path = sourceOf(passage) ?? '';
  const answer = await browse.cat({ path });
  const lines = 'content' in answer ? lineRangeOf(passage.text.trim(), answer.content) : null;
  const uri = 'source' in answer && typeof answer.source === 'string' ? answer.source : path;
  return readHref(uri, lines === null ? null : { lines });
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
