import type { ObjectRecord, SummaryKind } from '@trove/core/store';
import type { EngineSettings } from '../../settings.js';

/** What is to be written about. */
export type SummarySettings = Pick<EngineSettings, 'summaries' | 'descriptions'>;

/** Images that language models take. */
export const describableTypes: ReadonlySet<string | null> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);

/** What is to be written about an object, as far as its record tells; null: nothing. */
export function summaryKindOf(
  { kind, mediaType, size, indexable, searchStatus }: ObjectRecord,
  { summaries, descriptions }: SummarySettings,
): SummaryKind | null {
  if (!indexable) return null;
  if (kind === 'image') {
    const isTaken =
      describableTypes.has(mediaType) && (size ?? 0) <= (descriptions?.maxImageBytes ?? -1);
    return isTaken ? 'vlm_description' : null;
  }
  if (summaries === null || searchStatus === 'not_indexed') return null;
  if (kind === 'table_schema') return 'schema_summary';
  const isText = kind === 'document' || kind === 'code' || kind === 'text';
  return isText && maxCharsOf(mediaType, size) >= summaries.minChars ? 'summary' : null;
}

/** Text that is stored as text has at most as many characters as bytes. */
function maxCharsOf(mediaType: string | null, size: number | null): number {
  return mediaType?.startsWith('text/') === true && size !== null ? size : Infinity;
}
