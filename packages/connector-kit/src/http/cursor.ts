import { isRecord } from './json.js';

const version = 1;
/** The cursor must have at most a million characters. */
const maxSlots = 15_000;

/** What an incremental run continues from. */
export interface Cursor {
  readonly v: number;
  /** The start of the last run, in milliseconds since 1970. */
  readonly start: number;
  /** Known objects by stream and key: the path, and an older cursor if the last run could not list it. */
  readonly slots: Readonly<Record<string, Slot>>;
  /** Too many objects for slots. Unknown ones then count as known. */
  readonly isFull?: boolean;
  /** Older cursors of streams that the last run could not list. */
  readonly held: Readonly<Record<string, number>>;
  /** Tokens of exports and feeds by stream. */
  readonly tokens: Readonly<Record<string, unknown>>;
}

export type Slot = readonly [path: string, since?: number];

/** Reads a cursor. Returns null for one of another version: everything is listed again. */
export function readCursor(value: unknown): Cursor | null {
  if (!isRecord(value) || value['v'] !== version) return null;
  const { start, slots, held, tokens, isFull } = value;
  if (typeof start !== 'number' || !isRecord(slots) || !isRecord(held) || !isRecord(tokens))
    return null;
  const known = Object.entries(slots).filter((entry): entry is [string, Slot] => isSlot(entry[1]));
  const times = Object.entries(held).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  );
  return {
    v: version,
    start,
    slots: Object.fromEntries(known),
    held: Object.fromEntries(times),
    tokens,
    isFull: isFull === true,
  };
}

/** Collects the cursor of the next run. */
export class CursorDraft {
  readonly #slots: Map<string, Slot>;
  readonly #held: Record<string, number> = {};
  readonly #tokens: Record<string, unknown> = {};
  #isFull = false;

  /** `found`: what an interrupted run had collected. */
  constructor(found?: unknown) {
    const known = readCursor({
      v: version,
      start: 0,
      slots: {},
      held: {},
      tokens: {},
      ...Object(found),
    });
    this.#slots = new Map(Object.entries(known?.slots ?? {}));
    Object.assign(this.#held, known?.held);
    Object.assign(this.#tokens, known?.tokens);
    this.#isFull = known?.isFull ?? false;
  }

  addSlot(key: string, path: string): void {
    if (this.#slots.size < maxSlots) this.#slots.set(key, [path]);
    else this.#isFull = true;
  }

  has(key: string): boolean {
    return this.#slots.has(key);
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** Keeps the older cursor of an object or a stream that could not be listed. */
  hold(key: string, since: number): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) this.#held[key] = since;
    else this.#slots.set(key, [slot[0], since]);
  }

  setToken(key: string, token: unknown): void {
    this.#tokens[key] = token;
  }

  /** The collected parts, for a checkpoint. */
  parts(): Omit<Cursor, 'v' | 'start'> {
    return {
      slots: Object.fromEntries(this.#slots),
      held: this.#held,
      tokens: this.#tokens,
      ...(this.#isFull ? { isFull: true } : {}),
    };
  }

  finish(start: number): Cursor {
    return { v: version, start, ...this.parts() };
  }
}

/** The key of an object in a cursor: its stream, and its identity or path. */
export function slotKey(
  stream: string,
  { identity, path }: { readonly identity?: string; readonly path: string },
): string {
  return `${stream}/${identity ?? path}`;
}

function isSlot(value: unknown): value is Slot {
  if (!Array.isArray(value)) return false;
  const [path, since]: readonly unknown[] = value;
  return typeof path === 'string' && (since === undefined || typeof since === 'number');
}
