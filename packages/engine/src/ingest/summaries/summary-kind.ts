import type { ObjectRecord, SummaryKind } from '@trove/core/store';
import type { EngineSettings } from '../../settings.js';

/** The settings that select objects for summaries. */
export type SummarySettings = Pick<EngineSettings, 'summaries' | 'descriptions'>;

/** Image types that language models accept. */
export const describableTypes: ReadonlySet<string | null> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);

/** Returns the kind of summary that an object gets according to its record. Null: none. */
export function summaryKindOf(
  { kind, mediaType, size, indexable, searchStatus }: ObjectRecord,
  { summaries, descriptions }: SummarySettings,
): SummaryKind | null {
  if (!indexable) return null;
  if (kind === 'image') {
    const isDescribable =
      describableTypes.has(mediaType) && (size ?? 0) <= (descriptions?.maxImageBytes ?? -1);
    return isDescribable ? 'vlm_description' : null;
  }
  if (summaries === null || searchStatus === 'not_indexed') return null;
  if (kind === 'table_schema') return 'schema_summary';
  const isText = kind === 'document' || kind === 'code' || kind === 'text';
  return isText && maxCharsOf(mediaType, size) >= summaries.minChars ? 'summary' : null;
}

/** Estimates the maximum number of characters. Plain text has at most as many characters as bytes. */
function maxCharsOf(mediaType: string | null, size: number | null): number {
  return mediaType?.startsWith('text/') === true && size !== null ? size : Infinity;
}
