import type { FieldValue } from '@trove/core';
import { demotedReasonField } from '@trove/core/index';
import type { ResultEnvelope } from '../../api/schemas.js';
import { toDemotedReason } from '../../content/demotion.js';
import type { SearchHit } from './hit-finder.js';
import { hitKindOf } from './hit-kind.js';
import type { HitScores } from './hit-scores.js';

/** Converts a hit into the form of the API. `names` are the terms of the names that the query asks for. */
export function toEnvelope(
  { row: hit, also }: SearchHit,
  { score, dense, sparse }: HitScores,
  names: readonly string[],
): ResultEnvelope {
  return {
    source: hit.source,
    content: hit.content,
    score,
    locator: hit.locator === null ? null : { ...hit.locator },
    metadata: {
      kind: hitKindOf(hit, names),
      chunk_kind: hit.kind,
      connector_type: hit.connectorType,
      media_type: hit.mediaType,
      title: hit.title,
      modified_at: dateOf(hit.modifiedAt),
      url: textOf(hit.fields['url']),
      author: textOf(hit.fields['author']),
      also: [...also],
      demoted_reason: toDemotedReason(hit.fields[demotedReasonField]),
      fields: { ...hit.fields },
      scores: { dense, sparse, rerank: null },
    },
  };
}

function dateOf(modifiedAt: number | null): string | null {
  if (modifiedAt === null) return null;
  const date = new Date(modifiedAt);
  // The time may be outside the range of dates.
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** A thread may have several values. */
function textOf(field: FieldValue | undefined): string | null {
  if (Array.isArray(field)) return field.join(', ');
  return typeof field === 'string' ? field : null;
}
