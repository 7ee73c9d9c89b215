import { joinUri } from '@trove/core';
import type { ConnectorRecord, SummaryRecord } from '@trove/core/store';
import type { UnanalysedRow } from '../../content/compute/messages.js';
import { summaryLocator } from '../../content/summary-locator.js';
import { chunkId, summaryGroup } from '../../content/row-ids.js';

/** Facts about the summarized object that its summary row shows. */
export interface SummarySubject {
  readonly title: string | null;
  readonly mediaType: string | null;
  readonly modifiedAt: number | null;
}

/** Creates the row of a summary. */
export function toSummaryRow(
  { id: scope, type, rootUri }: ConnectorRecord,
  { id, path, kind, text }: SummaryRecord,
  about: SummarySubject,
  maxChars: number,
): UnanalysedRow {
  const locator = summaryLocator(kind);
  return {
    ...about,
    id: chunkId(id, kind, locator, 0),
    group: summaryGroup(id),
    scope,
    source: joinUri(rootUri, path.replace(/\/$/, '')),
    kind,
    ordinal: 0,
    content: text.slice(0, maxChars),
    locator,
    connectorType: type,
    fields: {},
  };
}
