import { pathOf } from './entries.js';
import { listEntries, type Located } from './list.js';
import { requestItem } from './one.js';
import type { PlannedObject } from './plan.js';
import type { LocatedObject } from './read-records.js';
import type { HttpSource, Run } from './source.js';

/** A listing may run ahead of reading by tens of thousands of objects. */
const maxKnownChars = 16 * 1024 * 1024;
/** The approximate size of a remembered object without its items. */
const knownOverheadChars = 200;
const maxContentChars = 8 * 1024 * 1024;

/** An object or a document of which the parents, and the item itself, are known. */
export interface Known {
  /** The kind of object. Null for a document. */
  readonly object: PlannedObject | null;
  /** The stream that lists it. Null for an object that no stream lists. */
  readonly stream: string | null;
  readonly parents: Readonly<Record<string, unknown>>;
}

interface SizedKnown {
  readonly known: Known;
  readonly chars: number;
}

/** Finds objects and documents by their paths. Remembers those of the last listings. */
export class ObjectFinder {
  readonly #source: HttpSource;
  /** By path. The least recently listed are forgotten first. */
  readonly #known = new Map<string, SizedKnown>();
  #knownChars = 0;
  /** Documents whose content is in their items, by path. Each is used once, because it may change. */
  readonly #contents = new Map<string, SizedKnown>();
  #contentChars = 0;

  constructor(source: HttpSource) {
    this.#source = source;
  }

  remember({ entry: { path }, object: name, parents, stream }: Located): void {
    const object = this.#source.plan.objects.find((each) => each.name === name) ?? null;
    const known = { object, parents, stream };
    if (object === null && this.#hasContent(stream)) {
      this.#rememberContent(path, known);
      return;
    }
    this.#forget(path);
    const chars = knownOverheadChars + path.length + charsOf(known);
    this.#known.set(path, { known, chars });
    this.#knownChars += chars;
    for (const oldest of this.#known.keys()) {
      if (this.#knownChars <= maxKnownChars) break;
      this.#forget(oldest);
    }
  }

  #forget(path: string): void {
    this.#knownChars -= this.#known.get(path)?.chars ?? 0;
    this.#known.delete(path);
  }

  /** Forgets the contents of an earlier listing, which may have changed since. Called when a new listing begins. */
  forgetContents(): void {
    this.#contents.clear();
    this.#contentChars = 0;
  }

  #hasContent(stream: string | null): boolean {
    return this.#source.plan.streams.get(stream ?? '')?.description.read?.inItem === true;
  }

  #rememberContent(path: string, known: Known): void {
    this.#takeContent(path);
    const chars = charsOf(known);
    if (this.#contentChars + chars > maxContentChars) return;
    this.#contentChars += chars;
    this.#contents.set(path, { known, chars });
  }

  #takeContent(path: string): Known | null {
    const found = this.#contents.get(path);
    if (found === undefined) return null;
    this.#contents.delete(path);
    this.#contentChars -= found.chars;
    return found.known;
  }

  /** Returns an object of records. Null if there is none. Lists the objects of the source if it is not remembered. */
  async findObject(
    path: string,
    identity: string | undefined,
    run: Run,
  ): Promise<LocatedObject | null> {
    const known = this.#known.get(path)?.known;
    if (known !== undefined && known.object !== null) return { ...known, object: known.object };
    const found =
      this.#findStatic(path, run) ?? (await this.#search(path, identity, run, isObject));
    return found === null || found.object === null ? null : { ...found, object: found.object };
  }

  /** Returns a document. Null if there is none. */
  async findDocument(path: string, identity: string | undefined, run: Run): Promise<Known | null> {
    const known = this.#takeContent(path) ?? this.#known.get(path)?.known;
    if (known !== undefined && known.object === null) return known;
    const found = identity === undefined ? null : await this.#requestOne(identity, run);
    return found ?? (await this.#search(path, identity, run, isDocument));
  }

  #findStatic(path: string, run: Run): Known | null {
    const object = this.#source.plan.objects.find(
      ({ description }) =>
        description.for === undefined && pathOf(description.path, this.#source.scope(run)) === path,
    );
    return object === undefined ? null : { object, stream: null, parents: {} };
  }

  /** Requests the item of a document by its identity. */
  async #requestOne(identity: string, run: Run): Promise<Known | null> {
    for (const [name, { description, ancestors }] of this.#source.plan.streams) {
      const { one, document } = description;
      if (one === undefined || document === undefined || ancestors.length > 0) continue;
      const item = await requestItem(this.#source, name, { identity }, run);
      if (item !== undefined) return { object: null, stream: name, parents: { [name]: item } };
    }
    return null;
  }

  /** Lists the source until an entry has the path or the identity. */
  async #search(
    path: string,
    identity: string | undefined,
    run: Run,
    isWanted: (located: Located) => boolean,
  ): Promise<Known | null> {
    let moved: Known | null = null;
    for await (const item of listEntries(this.#source, run, null)) {
      if ('checkpoint' in item || !isWanted(item)) continue;
      this.remember(item);
      const { object, stream, parents, entry } = item;
      const planned = this.#source.plan.objects.find(({ name }) => name === object) ?? null;
      const known = { object: planned, stream, parents };
      if (identity === undefined ? entry.path === path : entry.identity === identity) {
        this.#takeContent(path);
        return known;
      }
      if (entry.path === path) moved = known;
    }
    return moved;
  }
}

function charsOf({ parents }: Known): number {
  return JSON.stringify(parents).length;
}

function isObject({ object }: Located): boolean {
  return object !== null;
}

function isDocument({ object }: Located): boolean {
  return object === null;
}
