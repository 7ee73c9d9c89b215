import { isDeepStrictEqual } from 'node:util';
import type { SourceConfig } from '../schedules/sync-settings.js';

/**
 * Restores the hidden values of an exported configuration. `shown` is the stored configuration as it is exported. A value
 * that equals its shown form is the stored one.
 */
export function restoreHidden(desired: unknown, shown: unknown, stored: unknown): unknown {
  if (isDeepStrictEqual(desired, shown)) return stored;
  if (Array.isArray(desired) && Array.isArray(shown) && Array.isArray(stored))
    return desired.map((item: unknown, at) => restoreHidden(item, shown[at], stored[at]));
  if (!isRecord(desired) || !isRecord(shown) || !isRecord(stored)) return desired;
  return Object.fromEntries(
    Object.entries(desired).map(([key, value]) => [
      key,
      restoreHidden(value, shown[key], stored[key]),
    ]),
  );
}

/** Returns the top-level keys whose values differ. Null and a missing value are equal. */
export function differingKeys(one: SourceConfig | null, other: SourceConfig | null): string[] {
  const keys = new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})]);
  return [...keys]
    .filter((key) => !isDeepStrictEqual(one?.[key] ?? null, other?.[key] ?? null))
    .sort();
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
