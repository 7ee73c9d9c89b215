import { errorCatalogue, isTroveError, type ErrorCode, type Health } from '@trove/core';
import { errorCodeProblem } from '@trove/runtime';
import { maxPauseMs } from './connector-retries.js';

/** The pause of a source that is `rate_limited` and names no time. */
const defaultPauseMs = 60_000;

/** The checked result of a health check. */
export interface SourceHealth {
  readonly ok: boolean;
  readonly detail: string;
  /** Null if the source is healthy. */
  readonly code: ErrorCode | null;
  /** Milliseconds until the source may be asked again, or null. */
  readonly retryAfterMs: number | null;
}

/** Describes the problem of a result of `check`, in the terms of the author of the connector. */
export function healthProblem(health: Health): string | null {
  if (typeof health?.ok !== 'boolean' || typeof health.detail !== 'string')
    return 'it is not an object with `ok` and `detail`';
  const { code, retryAfterMs } = health;
  if (code !== undefined) {
    const problem = errorCodeProblem(code);
    if (problem !== null) return `\`code\`: ${problem}`;
    if (errorCatalogue[code].status === 0) return `\`code\`: \`${code}\` is only for jobs`;
  }
  const isTime =
    typeof retryAfterMs === 'number' && retryAfterMs >= 0 && Number.isFinite(retryAfterMs);
  return retryAfterMs === undefined || isTime
    ? null
    : '`retryAfterMs` is not a number of milliseconds';
}

/** Returns a valid health with all members. */
export function toSourceHealth({ ok, detail, code, retryAfterMs }: Health): SourceHealth {
  if (ok) return { ok, detail, code: null, retryAfterMs: null };
  return { ok, detail, code: code ?? 'connector_unhealthy', retryAfterMs: retryAfterMs ?? null };
}

/** Returns the health that a thrown `rate_limited` states. Rethrows any other error. */
export function healthOfError(error: unknown): SourceHealth {
  if (!isTroveError(error) || error.code !== 'rate_limited') throw error;
  const { detail, code, retryAfterMs = null } = error;
  return { ok: false, detail, code, retryAfterMs };
}

/** Returns how long to wait before the first sync of a source, in milliseconds. Null if the source is not available. */
export function pauseOf({ ok, code, retryAfterMs }: SourceHealth): number | null {
  if (ok) return 0;
  return code === 'rate_limited' ? Math.min(retryAfterMs ?? defaultPauseMs, maxPauseMs) : null;
}
