import type { Locator } from '@trove/core';
import { summaryKinds, type SummaryKind } from '@trove/core/store';

/** Returns the locator of the summary of an object or folder. */
export function summaryLocator(kind: SummaryKind): Locator {
  return { chunk_kind: kind };
}

/** Returns the kind of summary that a locator names, or null. */
export function summaryKindOf(locator: Locator): SummaryKind | null {
  const { chunk_kind: named, ...others } = locator;
  if (Object.keys(others).length > 0) return null;
  return summaryKinds.find((kind) => kind === named) ?? null;
}
