import type { Entry, RecordsChange } from '@trove/core';
import type {
  CheckedChange,
  GuardedConnector,
} from '../../sources/connectors/guarded-connector.js';
import type { ObjectPlanner, PlanObject } from '../../sources/objects/object-plan.js';
import type { ObjectRule } from '../../sources/objects/object-rules.js';

/** What changes amount to, and how the objects that are compared are to be indexed. */
export interface ListingPart extends MergedChanges {
  readonly planOf: PlanObject;
  /** By path; null for what has to be read before anyone can tell whether it changed. */
  readonly revisions: Map<string, string | null>;
  /** By path. */
  readonly rules: Map<string, ObjectRule>;
  /** What comes from here on is everything that there is. */
  readonly isReset: boolean;
}

/** Parts of a listing with all that can be told of them without the store. */
export async function* planParts(
  parts: AsyncIterable<readonly CheckedChange[]>,
  planner: ObjectPlanner,
  connector: GuardedConnector,
): AsyncGenerator<ListingPart, void, undefined> {
  for await (const changes of parts) {
    const planOf = await planner.plannerOf(connector);
    const isReset = changes.some((change) => 'reset' in change);
    const part = {
      ...mergeChanges(changes),
      planOf,
      revisions: new Map(),
      rules: new Map(),
      isReset,
    };
    for (const entry of part.entries.values()) addPlan(part, entry);
    yield part;
  }
}

export function addPlan({ planOf, revisions, rules }: ListingPart, entry: Entry): void {
  const { rule, revision } = planOf(entry);
  revisions.set(entry.path, revision);
  if (rule !== null) rules.set(entry.path, rule);
}

interface MergedChanges {
  readonly entries: Map<string, Entry>;
  readonly removed: Set<string>;
  readonly recordChanges: Map<string, RecordsChange[]>;
  readonly mustRead: Set<string>;
}

/** What changes amount to: the last one of an object wins, and one that is read whole needs no word on its records. */
function mergeChanges(changes: readonly CheckedChange[]): MergedChanges {
  const entries = new Map<string, Entry>();
  const removed = new Set<string>();
  const ofRecords = new Map<string, RecordsChange[]>();
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
      ofRecords.set(change.mustRead, []);
      removed.delete(change.mustRead);
    } else if ('records' in change) {
      ofRecords.set(change.path, [...(ofRecords.get(change.path) ?? []), change]);
      removed.delete(change.path);
    }
  }
  for (const path of [...entries.keys(), ...removed]) ofRecords.delete(path);
  return { entries, removed, recordChanges: ofRecords, mustRead };
}
