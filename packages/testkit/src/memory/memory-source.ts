import { EventEmitter } from 'node:events';
import {
  locatorKey,
  TroveError,
  type ByteRange,
  type Entry,
  type FieldValue,
  type ObjectKind,
  type RecordKey,
  type SourceRecord,
} from '@trove/core';

/** One object of a memory source: bytes, or records. */
export interface MemoryObject {
  readonly bytes: Uint8Array | null;
  readonly records: readonly SourceRecord[] | null;
  readonly kind: ObjectKind | null;
  readonly mediaType: string | null;
  readonly fields: Readonly<Record<string, FieldValue>>;
  readonly identity: string;
  /** Increases with every change of the source. */
  readonly version: number;
  readonly modifiedAt: number | null;
}

/** That a record was put, or removed. */
interface RecordEvent {
  readonly path: string;
  readonly key: RecordKey;
  readonly version: number;
}

export interface MemoryObjectOptions {
  readonly kind?: ObjectKind;
  readonly mediaType?: string;
  readonly fields?: Readonly<Record<string, FieldValue>>;
  /** Null: nobody knows. Default: now. */
  readonly modifiedAt?: number | null;
}

/** The content of a memory connector: a small world that tests change, with switches to make it fail. */
export class MemorySource {
  readonly objects = new Map<string, MemoryObject>();
  readonly removals: { readonly path: string; readonly version: number }[] = [];
  /** What was put or removed one by one, after its object. */
  readonly recordEvents: RecordEvent[] = [];
  /** How many records were given with all that they have. */
  recordsRead = 0;
  /** If not, only the number of records shows that one was removed. */
  tellsOfRemovedRecords = true;
  /** Cursors of older versions are no longer good. */
  oldestCursor = 0;
  /** The listing throws after this many entries; null: never. */
  failListingAfter: number | null = null;
  /** A folder that no listing can look into. */
  unlistable: string | null = null;
  /** Errors to throw when these paths are read. */
  readonly failReading = new Map<string, unknown>();
  /** Awaited before each read and each listed entry: block it to catch a sync half-way. */
  pause: () => Promise<void> = async () => {};
  /** Told of each read of bytes, and of the range that was asked for. */
  onRead: (path: string, range?: ByteRange) => void = () => {};
  /** If set, the configuration's `token` must equal this, or the source refuses to answer. */
  token: string | null = null;
  /** Emits `path` with each path that changes. */
  readonly changes = new EventEmitter();
  /** The configuration's `refresh_token` must equal this when access is renewed; each renewal makes another of it. */
  refreshToken = 'first';
  /** What readers need by now besides the token; null: nothing, until `expireAccess`. */
  access: string | null = null;
  #version = 0;

  get version(): number {
    return this.#version;
  }

  /** Puts a text, bytes or records at a path; an existing object keeps its identity. */
  set(
    path: string,
    content: string | Uint8Array | readonly SourceRecord[],
    options: MemoryObjectOptions = {},
  ): void {
    const version = this.#changed(path);
    const isBytes = typeof content === 'string' || content instanceof Uint8Array;
    this.objects.set(path, {
      bytes: isBytes ? toBytes(content) : null,
      records: isBytes ? null : content,
      kind: options.kind ?? (isBytes ? null : 'table_rows'),
      mediaType: options.mediaType ?? null,
      fields: options.fields ?? {},
      identity: this.objects.get(path)?.identity ?? `object-${version}`,
      version,
      modifiedAt: options.modifiedAt === undefined ? Date.now() : options.modifiedAt,
    });
  }

  /** Puts a record into an object, in the place of one with its key or at the end. */
  putRecord(path: string, record: SourceRecord): void {
    const name = locatorKey(record.key);
    const records = [...(this.objects.get(path)?.records ?? [])];
    const at = records.findIndex(({ key }) => locatorKey(key) === name);
    if (at < 0) records.push(record);
    else records[at] = record;
    this.#changeRecords(path, records, record.key);
  }

  removeRecord(path: string, key: RecordKey): void {
    const name = locatorKey(key);
    const records = this.objects.get(path)?.records ?? [];
    const rest = records.filter((record) => locatorKey(record.key) !== name);
    this.#changeRecords(path, rest, key);
  }

  #changeRecords(path: string, records: readonly SourceRecord[], key: RecordKey): void {
    const object = this.objects.get(path);
    if (object === undefined) throw new Error(`There is no object at ${path}.`);
    const version = this.#changed(path);
    this.objects.set(path, { ...object, records, modifiedAt: Date.now() });
    this.recordEvents.push({ path, key, version });
  }

  #changed(path: string): number {
    this.changes.emit('path', path);
    return ++this.#version;
  }

  /** Whoever has access so far has to renew it. */
  expireAccess(): void {
    this.access = `access ${++this.#version}`;
  }

  /** New access, and the refresh token for the next time. Throws for a token that is not the current one. */
  renew(refreshToken: string): { readonly access: string; readonly refreshToken: string } {
    if (refreshToken !== this.refreshToken)
      throw new TroveError(
        'credential_error',
        'The memory source has renewed by this token before.',
      );
    this.refreshToken = `refresh ${++this.#version}`;
    this.access ??= `access ${this.#version}`;
    return { access: this.access, refreshToken: this.refreshToken };
  }

  /** No cursor so far is good any more. */
  expireCursors(): void {
    this.oldestCursor = ++this.#version;
  }

  remove(path: string): void {
    if (this.objects.delete(path)) this.removals.push({ path, version: this.#changed(path) });
  }

  /** Moves an object, keeping its content and identity. */
  rename(from: string, to: string): void {
    const object = this.objects.get(from);
    if (object === undefined) throw new Error(`There is no object at ${from}.`);
    this.remove(from);
    this.objects.set(to, { ...object, version: this.#changed(to) });
  }

  #versionOf(path: string, { version }: MemoryObject): number {
    const ofRecords = this.recordEvents.filter((event) => event.path === path);
    return Math.max(version, ...ofRecords.map((event) => event.version));
  }

  isUnlistable(path: string): boolean {
    return this.unlistable !== null && path.startsWith(`${this.unlistable}/`);
  }

  entry(path: string): Entry | null {
    const object = this.objects.get(path);
    if (object === undefined) return null;
    const { bytes, records, kind, mediaType, fields, identity, modifiedAt } = object;
    const [first] = records ?? [];
    return {
      path,
      size: bytes === null ? null : bytes.length,
      modifiedAt,
      mediaType,
      fields,
      identity,
      fingerprint: String(this.#versionOf(path, object)),
      ...(kind === null ? {} : { kind }),
      ...(first === undefined ? {} : { keyFields: Object.keys(first.key) }),
    };
  }
}

function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}
