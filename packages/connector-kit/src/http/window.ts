import type { CompleteScope, SourceRecord } from '@trove/core';

import type { Page } from './pages.js';

/** Later than every record. */
const endOfTime = Number.MAX_SAFE_INTEGER;

/** What a page of a window has covered, and the edge where the next page continues. */
export interface WindowPart {
  readonly scope: CompleteScope | undefined;
  readonly edge: number | undefined;
  /** Whether the page is older than the window, so the next pages need not be requested. */
  readonly isOver: boolean;
}

/**
 * Returns the period of which a page of a window has reported every record. Null for other streams. Other streams of the
 * object have records in the same period, so then no page covers one. `isWhole`: every item of the page became a record.
 */
export function windowScope(
  { stream, work, next, skipped }: Page,
  records: readonly SourceRecord[],
  isWhole: boolean,
  begin: number | undefined,
): WindowPart | null {
  const { incremental } = stream.description;
  if (incremental?.by !== 'window' || begin === undefined || work.isGone === true) return null;
  if (stream.object?.streams.length !== 1 || skipped !== null) return null;
  const times = records.flatMap(({ at }) => at ?? []);
  const isDated = times.length === records.length;
  const isOver =
    incremental.order === 'newest-first' &&
    isDated &&
    times.length > 0 &&
    times.every((time) => time < begin);
  const { from, to, edge } = periodOf(incremental.order, times, {
    begin,
    edge: work.edge,
    isLast: next === null || isOver,
  });
  const isCovered = isWhole && isDated && from < to;
  return { scope: isCovered ? { from, to } : undefined, edge, isOver };
}

interface Bounds {
  readonly begin: number;
  readonly edge: number | undefined;
  readonly isLast: boolean;
}

/** A record at the edge belongs to the earlier page in both orders, because the next page may repeat it. */
function periodOf(
  order: 'newest-first' | 'oldest-first' | 'none',
  times: readonly number[],
  { begin, edge, isLast }: Bounds,
): { readonly from: number; readonly to: number; readonly edge: number } {
  if (order === 'newest-first') {
    const to = edge ?? endOfTime;
    const from = isLast ? begin : times.reduce((a, b) => Math.min(a, b), to);
    return { from, to, edge: from };
  }
  if (order === 'oldest-first') {
    const from = edge ?? begin;
    const to = isLast ? endOfTime : times.reduce((a, b) => Math.max(a, b + 1), from);
    return { from, to, edge: to };
  }
  return { from: isLast ? begin : endOfTime, to: endOfTime, edge: endOfTime };
}
