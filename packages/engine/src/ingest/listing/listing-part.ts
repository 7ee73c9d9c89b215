import { isCheckpoint, type Checkpoint, type Entry, type RecordsChange } from '@trove/core';
import type { GuardedConnector } from '../../sources/connectors/guarded-connector.js';
import type { CheckedChange } from '../../sources/connectors/item-checks.js';
import type { ObjectPlanner, PlanObject } from '../../sources/objects/object-plan.js';
import type { ObjectRule } from '../../sources/objects/object-rules.js';

/** A part of a listing with its changes merged, and the plan for each object that is compared. */
export interface ListingPart extends MergedChanges {
  readonly planOf: PlanObject;
  /** By path. Null: only reading the object shows whether it changed. */
  readonly revisions: Map<string, string | null>;
  /** By path. */
  readonly rules: Map<string, ObjectRule>;
  /** Everything from here on is a complete listing. */
  readonly isReset: boolean;
  /** The last checkpoint. Null: none. */
  readonly checkpoint: Checkpoint | null;
}

/** Changed records of an object. `interval` counts the checkpoints and restarts of the stream before them. */
export interface IntervalChanges {
  readonly interval: number;
  readonly changes: readonly RecordsChange[];
}

/** Merges the changes in each part of a listing and plans their objects, without the store. */
export async function* planParts(
  parts: AsyncIterable<readonly CheckedChange[]>,
  planner: ObjectPlanner,
  connector: GuardedConnector,
): AsyncGenerator<ListingPart, void, undefined> {
  let interval = 0;
  for await (const part of parts) {
    for (const changes of splitAtIntervals(part)) {
      const [first] = changes;
      if (first !== undefined && 'restarted' in first) interval++;
      yield planPart(changes, interval, await planner.plannerOf(connector));
      interval += changes.filter(isCheckpoint).length;
    }
  }
}

/**
 * Ends a part with changes of records at each checkpoint and restart, because a `complete` scope depends on the changes
 * between them.
 */
function splitAtIntervals(part: readonly CheckedChange[]): (readonly CheckedChange[])[] {
  if (!part.some((change) => 'records' in change)) return [part];
  const runs: CheckedChange[][] = [];
  let run: CheckedChange[] = [];
  const end = (): void => {
    if (run.length > 0) runs.push(run);
    run = [];
  };
  for (const change of part) {
    if ('restarted' in change) end();
    run.push(change);
    if (isCheckpoint(change)) end();
  }
  end();
  return runs;
}

function planPart(
  changes: readonly CheckedChange[],
  interval: number,
  planOf: PlanObject,
): ListingPart {
  const isReset = changes.some((change) => 'reset' in change);
  const merged = mergeChanges(changes, interval);
  const checkpoint = changes.findLast((change) => isCheckpoint(change)) ?? null;
  const part = { ...merged, planOf, revisions: new Map(), rules: new Map(), isReset, checkpoint };
  for (const entry of part.entries.values()) addPlan(part, entry);
  return part;
}

export function addPlan({ planOf, revisions, rules }: ListingPart, entry: Entry): void {
  const { rule, revision } = planOf(entry);
  revisions.set(entry.path, revision);
  if (rule !== null) rules.set(entry.path, rule);
}

interface MergedChanges {
  readonly entries: Map<string, Entry>;
  readonly removed: Set<string>;
  readonly recordChanges: Map<string, IntervalChanges>;
  readonly mustRead: Set<string>;
}

/** Merges changes: the last one of an object counts. Record changes of an object that is read as a whole are dropped. */
function mergeChanges(changes: readonly CheckedChange[], interval: number): MergedChanges {
  const entries = new Map<string, Entry>();
  const removed = new Set<string>();
  const recordChanges = new Map<string, IntervalChanges>();
  const mustRead = new Set<string>();
  for (const change of changes) {
    if ('entry' in change) {
      entries.set(change.entry.path, change.entry);
      removed.delete(change.entry.path);
    } else if ('removed' in change) {
      removed.add(change.removed);
      entries.delete(change.removed);
    } else if ('mustRead' in change) {
      mustRead.add(change.mustRead);
      recordChanges.set(change.mustRead, { interval, changes: [] });
      removed.delete(change.mustRead);
    } else if ('records' in change) {
      const { changes: earlier = [] } = recordChanges.get(change.path) ?? {};
      recordChanges.set(change.path, { interval, changes: [...earlier, change] });
      removed.delete(change.path);
    }
  }
  for (const path of [...entries.keys(), ...removed]) recordChanges.delete(path);
  return { entries, removed, recordChanges, mustRead };
}
