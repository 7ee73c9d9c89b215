import { EventEmitter } from 'node:events';
import {
  locatorKey,
  TroveError,
  type ByteRange,
  type Change,
  type ChangesRequest,
  type Entry,
  type FieldValue,
  type ObjectKind,
  type RecordKey,
  type SourceRecord,
} from '@trove/core';

/** An object of a memory source with bytes or records. */
export interface MemoryObject {
  readonly bytes: Uint8Array | null;
  readonly records: readonly SourceRecord[] | null;
  readonly kind: ObjectKind | null;
  readonly mediaType: string | null;
  readonly fields: Readonly<Record<string, FieldValue>>;
  readonly identity: string;
  readonly title: string | null;
  /** Increases with every change of the source. */
  readonly version: number;
  /** Changes with the content, but not with the path. */
  readonly fingerprint: string;
  readonly hasFixedFingerprint: boolean;
  readonly modifiedAt: number | null;
}

/** The change or removal of a record. */
interface RecordEvent {
  readonly path: string;
  readonly key: RecordKey;
  readonly version: number;
}

export interface MemoryObjectOptions {
  readonly kind?: ObjectKind;
  readonly mediaType?: string;
  readonly title?: string;
  /** A fingerprint that changes of records do not change. Default: each change of the content changes it. */
  readonly fingerprint?: string;
  readonly fields?: Readonly<Record<string, FieldValue>>;
  /** Null if unknown. Default: now. */
  readonly modifiedAt?: number | null;
}

/** A call of a memory connector for one object. */
export interface SourceCall {
  readonly method: 'read' | 'records' | 'stat' | 'grep';
  readonly path: string;
  /** Undefined: the caller gave none. */
  readonly identity: string | undefined;
  /** The number of records to skip, if not 0. */
  readonly offset?: number;
}

/** The content of a memory connector, which tests change, with switches for faults. */
export class MemorySource {
  readonly objects = new Map<string, MemoryObject>();
  readonly removals: { readonly path: string; readonly version: number }[] = [];
  /** Changes and removals of single records after the creation of their object. */
  readonly recordEvents: RecordEvent[] = [];
  /** The number of fully read records. */
  recordsRead = 0;
  /** If false, only the number of records reveals a removal. */
  reportsRemovedRecords = true;
  /** If set, yields the changes since a cursor instead of those of this source. */
  changeStream: ((request: ChangesRequest) => AsyncIterable<Change>) | null = null;
  /** Cursors of older versions have expired. */
  oldestCursor = 0;
  /** The listing throws after this many entries. Null for never. */
  failListingAfter: number | null = null;
  /** A folder that no listing can read. */
  unlistable: string | null = null;
  /** Errors to throw when these paths are read. */
  readonly failReading = new Map<string, unknown>();
  /** Awaited before each read and each listed entry. Block it to catch a sync half-way. */
  pause: () => Promise<void> = async () => {};
  /** Called for each call that names one object. */
  onCall: (call: SourceCall) => void = () => {};
  /** Called for each read of bytes with its range. */
  onRead: (path: string, range?: ByteRange) => void = () => {};
  /** If set, the configuration's `token` must equal this. */
  token: string | null = null;
  /** Emits `path` with each changed path. */
  readonly changes = new EventEmitter();
  /** A renewal requires this `refresh_token` in the configuration, and replaces it. */
  refreshToken = 'first';
  /** The access that readers need besides the token. Null until `expireAccess`. */
  access: string | null = null;
  #version = 0;

  get version(): number {
    return this.#version;
  }

  /** Stores a text, bytes or records at a path. An existing object keeps its identity. */
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
      title: options.title ?? null,
      fingerprint: options.fingerprint ?? String(version),
      hasFixedFingerprint: options.fingerprint !== undefined,
      fields: options.fields ?? {},
      identity: this.objects.get(path)?.identity ?? `object-${version}`,
      version,
      modifiedAt: options.modifiedAt === undefined ? Date.now() : options.modifiedAt,
    });
  }

  /** Stores a record in an object. Replaces a record with the same key, or appends. */
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
    const fingerprint = object.hasFixedFingerprint ? object.fingerprint : String(version);
    this.objects.set(path, { ...object, records, fingerprint, modifiedAt: Date.now() });
    this.recordEvents.push({ path, key, version });
  }

  #changed(path: string): number {
    this.changes.emit('path', path);
    return ++this.#version;
  }

  /** Ends all access, so that readers have to renew it. */
  expireAccess(): void {
    this.access = `access ${++this.#version}`;
  }

  /** Returns new access and the next refresh token. Throws for an outdated token. */
  renew(refreshToken: string): { readonly access: string; readonly refreshToken: string } {
    if (refreshToken !== this.refreshToken)
      throw new TroveError('credential_error', 'The refresh token was used before.');
    this.refreshToken = `refresh ${++this.#version}`;
    this.access ??= `access ${this.#version}`;
    return { access: this.access, refreshToken: this.refreshToken };
  }

  /** Expires all cursors so far. */
  expireCursors(): void {
    this.oldestCursor = ++this.#version;
  }

  remove(path: string): void {
    if (this.objects.delete(path)) this.removals.push({ path, version: this.#changed(path) });
  }

  /** Moves an object and keeps its content and identity. Default: keeps its title. */
  rename(from: string, to: string, title?: string): void {
    const object = this.objects.get(from);
    if (object === undefined) throw new Error(`There is no object at ${from}.`);
    this.remove(from);
    const version = this.#changed(to);
    this.objects.set(to, { ...object, title: title ?? object.title, version });
  }

  isUnlistable(path: string): boolean {
    return this.unlistable !== null && path.startsWith(`${this.unlistable}/`);
  }

  entry(path: string): Entry | null {
    const object = this.objects.get(path);
    if (object === undefined) return null;
    const { bytes, records, kind, mediaType, title, fields, identity, fingerprint, modifiedAt } =
      object;
    const [first] = records ?? [];
    return {
      path,
      size: bytes === null ? null : bytes.length,
      modifiedAt,
      mediaType,
      fields,
      identity,
      fingerprint,
      ...(title === null ? {} : { title }),
      ...(kind === null ? {} : { kind }),
      ...(first === undefined ? {} : { keyFields: Object.keys(first.key) }),
    };
  }
}

function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}
