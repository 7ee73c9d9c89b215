import type { PlannedStream, Plan } from '../plan.js';
import { isRecord, textOf, valueAt } from '../json.js';
import { timeOf } from '../times.js';
import { hasChangeTime, idPaths, timePath } from './item-paths.js';
import { timeLike } from './time-like.js';
import { isPath, setAt } from './places.js';

/** An item as the service shows it. */
export type FakeItem = Readonly<Record<string, unknown>>;

/** An item of a stream. */
export interface StoredItem {
  readonly stream: PlannedStream;
  readonly id: string;
  readonly parent: StoredItem | null;
  value: FakeItem;
  /** When it was changed here, in milliseconds since 1970. */
  changedAt: number;
  /** A deleted item, which listings of changes may show. */
  isGone: boolean;
  /** The bytes of a document. */
  content?: Uint8Array;
  mediaType?: string;
}

/** The items of a fake service, in order of creation, and the log of their changes. */
export class StoredItems {
  readonly #plan: Plan;
  readonly #items = new Map<string, StoredItem[]>();
  /** All changes. The number of earlier changes is the position in feeds and exports. */
  readonly log: StoredItem[] = [];

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  all(stream: string): readonly StoredItem[] {
    return this.#items.get(stream) ?? [];
  }

  /** Adds an item, or replaces the one with the same id. `parents`: the ids of its parents by their streams. */
  put(
    stream: string,
    value: FakeItem,
    parents: Readonly<Record<string, string | number>>,
  ): StoredItem {
    const planned = this.#planned(stream);
    const paths = idPaths(this.#plan, stream);
    const id = idOf(value, paths);
    if (id === '') throw new Error(`The item of \`${stream}\` has no \`${paths.join('`, `')}\`.`);
    const parent = this.#parentOf(planned, parents);
    const known = this.all(stream).find((item) => item.id === id && item.parent === parent);
    const item = known ?? { stream: planned, id, parent, value, changedAt: 0, isGone: false };
    item.value = value;
    item.isGone = false;
    if (known === undefined) this.#items.set(stream, [...this.all(stream), item]);
    this.#record(item);
    if (known === undefined) this.#updateParent(item);
    return item;
  }

  /** Changes members of an item by their paths, and the time of its change. */
  edit(stream: string, id: string | number, changes: FakeItem): StoredItem {
    const item = this.find(stream, id);
    this.#touch(item);
    for (const [path, value] of Object.entries(changes))
      item.value = recordOf(setAt(item.value, path, value));
    this.#record(item);
    return item;
  }

  /** Deletes an item. Listings of changes show it if the description says how. */
  delete(stream: string, id: string | number): void {
    const item = this.find(stream, id);
    const { isGone } = item.stream.description;
    this.#touch(item);
    if (isPath(isGone)) item.value = recordOf(setAt(item.value, isGone, true));
    item.isGone = true;
    this.#record(item);
    this.#updateParent(item);
  }

  /** Returns an item by its id, also a deleted one. Throws if there is none. */
  find(stream: string, id: string | number): StoredItem {
    this.#planned(stream);
    const found = this.all(stream).findLast((item) => item.id === String(id));
    if (found === undefined) throw new Error(`The fake has no item ${id} of \`${stream}\`.`);
    return found;
  }

  #planned(stream: string): PlannedStream {
    const planned = this.#plan.streams.get(stream);
    if (planned === undefined) throw new Error(`The description has no stream \`${stream}\`.`);
    return planned;
  }

  #parentOf(
    { name, description }: PlannedStream,
    parents: Readonly<Record<string, string | number>>,
  ): StoredItem | null {
    if (description.for === undefined) return null;
    const id = parents[description.for];
    if (id === undefined)
      throw new Error(
        `An item of \`${name}\` belongs to one of \`${description.for}\`: name its id.`,
      );
    const found = this.all(description.for).findLast(
      (item) => item.id === String(id) && isBelow(item, parents),
    );
    if (found === undefined)
      throw new Error(`The fake has no item ${id} of \`${description.for}\`.`);
    return found;
  }

  #record(item: StoredItem): void {
    item.changedAt = Date.now();
    this.log.push(item);
  }

  /** Sets the time of an item, in the form that it has. An item without `at` gets the time of now, or a second later. */
  #touch(item: StoredItem, at?: number): void {
    const { description, name } = item.stream;
    const path = timePath(description);
    if (path === undefined || !hasChangeTime(description)) return;
    if (idPaths(this.#plan, name).includes(path)) return;
    const earlier = valueAt(item.value, path);
    const earlierMs = timeOf(earlier) ?? 0;
    const ms = at ?? Math.max(Date.now(), earlierMs + 1000);
    if (ms > earlierMs) item.value = recordOf(setAt(item.value, path, timeLike(earlier, ms)));
  }

  /** Sets what a description reads from the parent: that it has children, the time of the newest one, its own change. */
  #updateParent({ stream, parent, value, isGone }: StoredItem): void {
    if (parent === null) return;
    const { when, moved } = stream.description;
    const children = this.all(stream.name).filter((item) => item.parent === parent && !item.isGone);
    const newest = children.toSorted((a, b) => timeOfItem(a) - timeOfItem(b)).at(-1);
    const path = timePath(stream.description);
    if (isPath(moved)) {
      const time =
        newest === undefined || path === undefined ? undefined : valueAt(newest.value, path);
      parent.value = recordOf(setAt(parent.value, moved, time));
    }
    if (isPath(when) && when !== moved)
      parent.value = recordOf(setAt(parent.value, when, children.length));
    if (parent.stream.description.incremental === undefined) return;
    this.#touch(parent, isGone || path === undefined ? undefined : timeOf(valueAt(value, path)));
    this.#record(parent);
  }
}

/** Returns the time of the last change that the item shows, or that the fake knows. */
export function timeOfItem({ stream, value, changedAt }: StoredItem): number {
  const path = timePath(stream.description);
  return (path === undefined ? undefined : timeOf(valueAt(value, path))) ?? changedAt;
}

function idOf(value: unknown, paths: readonly string[]): string {
  return paths.map((path) => textOf(valueAt(value, path)) ?? '').join('/');
}

/** Whether all parents of an item are the named ones. */
function isBelow(item: StoredItem, parents: Readonly<Record<string, string | number>>): boolean {
  for (let each: StoredItem | null = item; each !== null; each = each.parent) {
    const id = parents[each.stream.name];
    if (id !== undefined && String(id) !== each.id) return false;
  }
  return true;
}

function recordOf(value: unknown): FakeItem {
  return isRecord(value) ? value : {};
}
