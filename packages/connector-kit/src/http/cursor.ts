import type { Entry } from '@trove/core';

import { isRecord } from './json.js';

const version = 1;
/** A cursor must have at most a million characters, and a checkpoint 100,000. */
const maxSlotChars = 800_000;
const maxCheckpointChars = 60_000;

/** What an incremental run continues from. */
export interface Cursor {
  readonly v: number;
  /** The start of the last run, in milliseconds since 1970. */
  readonly start: number;
  /** Known objects by stream and key: the path, and an older cursor if the last run could not list it. */
  readonly slots: Readonly<Record<string, Slot>>;
  /** Not all objects have slots, because there are too many. Unknown ones then count as known. */
  readonly isFull?: boolean;
  /** Not all objects have slots, because the last run was interrupted. */
  readonly isPartial?: boolean;
  /** Older cursors of streams that the last run could not list. */
  readonly held: Readonly<Record<string, number>>;
  /** Tokens of exports and feeds by stream. */
  readonly tokens: Readonly<Record<string, unknown>>;
  /** When the records of an object were counted last, by object. */
  readonly counted: Readonly<Record<string, number>>;
  /** The numbers of records so far, by path. Only in checkpoints. */
  readonly counts?: Readonly<Record<string, number>>;
}

export type Slot = readonly [path: string, since?: number];

/** Reads a cursor. Returns null for one of another version: everything is listed again. */
export function readCursor(value: unknown): Cursor | null {
  if (!isRecord(value) || value['v'] !== version || typeof value['start'] !== 'number') return null;
  return { ...partsOf(value), v: version, start: value['start'] };
}

type CursorParts = Omit<Cursor, 'v' | 'start'>;

function partsOf(value: Readonly<Record<string, unknown>>): CursorParts {
  const { slots, held, tokens, counted, counts, isFull, isPartial } = value;
  const known = Object.entries(isRecord(slots) ? slots : {});
  return {
    slots: Object.fromEntries(known.filter((entry): entry is [string, Slot] => isSlot(entry[1]))),
    held: numbersOf(held),
    tokens: isRecord(tokens) ? tokens : {},
    counted: numbersOf(counted),
    ...(counts === undefined ? {} : { counts: countsOf(counts) }),
    ...(isFull === true ? { isFull } : {}),
    ...(isPartial === true ? { isPartial } : {}),
  };
}

function numbersOf(value: unknown): Readonly<Record<string, number>> {
  const entries = Object.entries(isRecord(value) ? value : {});
  return Object.fromEntries(
    entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

/** A dropped count is not a number, which JSON writes as null. */
function countsOf(value: unknown): Readonly<Record<string, number>> {
  const entries = Object.entries(isRecord(value) ? value : {});
  return numbersOf(Object.fromEntries(entries.map(([path, count]) => [path, count ?? Number.NaN])));
}

function isSlot(value: unknown): value is Slot {
  if (!Array.isArray(value)) return false;
  const [path, since]: readonly unknown[] = value;
  return typeof path === 'string' && (since === undefined || typeof since === 'number');
}

/** Collects the cursor of the next run. */
export class CursorDraft {
  readonly #slots: Map<string, Slot>;
  readonly #paths = new Map<string, string>();
  readonly #held: Record<string, number>;
  readonly #tokens: Record<string, unknown>;
  readonly #counted: Record<string, number>;
  readonly #counts: Record<string, number>;
  #chars = 0;
  #isFull: boolean;
  #isPartial: boolean;

  /** `found`: what an interrupted run had collected. */
  constructor(found?: unknown) {
    const { slots, held, tokens, counted, counts, isFull, isPartial } = partsOf(
      isRecord(found) ? found : {},
    );
    this.#slots = new Map();
    this.#held = { ...held };
    this.#tokens = { ...tokens };
    this.#counted = { ...counted };
    this.#counts = { ...counts };
    this.#isFull = isFull === true;
    this.#isPartial = isPartial === true;
    for (const [key, slot] of Object.entries(slots)) this.addSlot(key, slot[0], slot[1]);
  }

  addSlot(key: string, path: string, since?: number): void {
    const chars = key.length + path.length + 24;
    if (this.#chars + chars > maxSlotChars) {
      this.#isFull = true;
      return;
    }
    this.removeSlot(key);
    this.#chars += chars;
    this.#slots.set(key, since === undefined ? [path] : [path, since]);
    this.#paths.set(path, key);
  }

  /** Adds the slot of a listed entry. `stream`: the one that lists it. Null: none does, so it has no slot. */
  addEntry({ stream, entry }: { readonly stream: string | null; readonly entry: Entry }): void {
    if (stream !== null) this.addSlot(slotKey(stream, entry), entry.path);
  }

  removeSlot(key: string): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) return;
    this.#chars -= key.length + slot[0].length + 24;
    this.#slots.delete(key);
    if (this.#paths.get(slot[0]) === key) this.#paths.delete(slot[0]);
  }

  has(key: string): boolean {
    return this.#slots.has(key);
  }

  pathOf(key: string): string | undefined {
    return this.#slots.get(key)?.[0];
  }

  /** Returns the keys of the objects of some streams, by path. */
  keysByPath(streams: ReadonlySet<string>): ReadonlyMap<string, string> {
    const own = [...this.#slots].filter(([key]) => streams.has(key.slice(0, key.indexOf('/'))));
    return new Map(own.map(([key, [path]]) => [path, key]));
  }

  /** Whether another object has the path. */
  isTaken(path: string, key: string): boolean {
    return (this.#paths.get(path) ?? key) !== key;
  }

  get isComplete(): boolean {
    return !this.#isFull && !this.#isPartial;
  }

  /** Takes the slots of a stream over from an earlier cursor, because this run does not list it in full. */
  inherit({ slots, isFull, isPartial }: Cursor, stream: string): void {
    for (const [key, [path, since]] of Object.entries(slots))
      if (key.startsWith(`${stream}/`)) this.addSlot(key, path, since);
    this.#isFull ||= isFull === true;
    this.#isPartial ||= isPartial === true;
  }

  setCounted(object: string, at: number): void {
    this.#counted[object] = at;
  }

  /** Adds records to the count of the object at a path. */
  addCount(path: string, records: number): void {
    this.#counts[path] = (this.#counts[path] ?? 0) + records;
  }

  /** Forgets the count of an object that could not be listed. */
  dropCount(path: string): void {
    this.#counts[path] = Number.NaN;
  }

  /** Returns the finished counts by path. */
  counts(): readonly (readonly [path: string, records: number])[] {
    return Object.entries(this.#counts).filter(([, records]) => !Number.isNaN(records));
  }

  /** Keeps the older cursor of an object or a stream that could not be listed. */
  hold(key: string, since: number): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) this.#held[key] = since;
    else this.#slots.set(key, [slot[0], since]);
  }

  /** Makes the next run list all items of a stream, because this run could not use some. */
  listAgain(stream: string): void {
    this.#held[stream] = 0;
    Reflect.deleteProperty(this.#tokens, stream);
  }

  /** Whether a stream could not be listed. */
  isHeld(stream: string): boolean {
    return Object.hasOwn(this.#held, stream);
  }

  setToken(stream: string, token: unknown): void {
    this.#tokens[stream] = token;
  }

  /** Returns the collected parts for a checkpoint, without slots if there are too many. */
  parts(): CursorParts {
    const parts = { ...this.#parts(), counts: { ...this.#counts } };
    return this.#chars <= maxCheckpointChars ? parts : { ...parts, slots: {}, isPartial: true };
  }

  finish(start: number): Cursor {
    return { v: version, start, ...this.#parts() };
  }

  #parts(): CursorParts {
    return {
      slots: Object.fromEntries(this.#slots),
      held: { ...this.#held },
      tokens: { ...this.#tokens },
      counted: { ...this.#counted },
      ...(this.#isFull ? { isFull: true } : {}),
      ...(this.#isPartial ? { isPartial: true } : {}),
    };
  }
}

/** The key of an object in a cursor: its stream, and its identity or path. */
export function slotKey(
  stream: string,
  { identity, path }: { readonly identity?: string; readonly path: string },
): string {
  return `${stream}/${identity ?? path}`;
}
