import { valueParsers } from '@trove/connector-kit/sql';

import type { SnowflakeCell } from './api.js';

/** What a query scans. Null bytes: unknown. */
interface ExplainedScans {
  readonly bytes: number | null;
  readonly scans: readonly TableScanPlan[];
}

interface TableScanPlan {
  /** The qualified names of the scanned tables. */
  readonly objects: readonly string[];
  readonly partitions: number;
  readonly bytes: number;
}

interface Plan {
  readonly GlobalStats?: { readonly bytesAssigned?: number };
  readonly Operations?: readonly (readonly Operation[])[];
}

interface Operation {
  readonly operation?: string;
  readonly objects?: readonly string[];
  readonly partitionsTotal?: number;
  readonly bytesAssigned?: number;
}

/** Reads the result of `explain using json`. */
export function explainedScansOf(
  rows: readonly Readonly<Record<string, SnowflakeCell>>[],
): ExplainedScans {
  const [text = null] = Object.values(rows[0] ?? {});
  const plan: Plan = Object(valueParsers.json(text ?? '{}'));
  const scans = (plan.Operations ?? [])
    .flat()
    .filter(({ operation }) => operation === 'TableScan')
    .map(({ objects = [], partitionsTotal = 0, bytesAssigned = 0 }) => ({
      objects,
      partitions: partitionsTotal,
      bytes: bytesAssigned,
    }));
  return { bytes: plan.GlobalStats?.bytesAssigned ?? null, scans };
}
