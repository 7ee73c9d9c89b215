import { isTroveError, type JsonSchema } from '@trove/core';
import { acceptParsed, freeMemory } from '@trove/runtime';
import type { MemberSink } from '../archive/members.js';
import { uploadLimits } from '../limits.js';
import { cleanPath } from '../tree-paths.js';
import { invalidUpload, quoted, uploadTooLarge } from '../upload-errors.js';
import type { StoredFile } from './tree-state.js';

const path = { type: 'string', minLength: 1 } as const;
const sha1 = { type: 'string', pattern: '^[0-9a-f]{40}$' } as const;
const items = { type: 'array', maxItems: uploadLimits.members } as const;
/** Integers that may exceed the exact range of JSON numbers. */
const bigInteger = {
  anyOf: [
    { type: 'integer', minimum: 0, maximum: 1e20 },
    { type: 'string', pattern: '^[0-9]{1,20}$' },
  ],
} as const;
const nullableBigInteger = { anyOf: [...bigInteger.anyOf, { type: 'null' }] } as const;

/** The first member of a bundle. Its other members are files named in `hashes`. */
const bundleMetaSchema = {
  type: 'object',
  properties: {
    hashes: {
      ...items,
      default: [],
      items: {
        type: 'object',
        properties: {
          path,
          sha1,
          size: { type: 'integer', minimum: 0 },
          mtime_ns: bigInteger,
          inode: { ...nullableBigInteger, default: null },
        },
        required: ['path', 'sha1', 'size', 'mtime_ns'],
        additionalProperties: false,
      },
    },
    renames: {
      ...items,
      default: [],
      items: {
        type: 'object',
        properties: { old: path, new: path, sha1 },
        required: ['old', 'new', 'sha1'],
        additionalProperties: false,
      },
    },
    deletions: { ...items, default: [], items: path },
  },
  additionalProperties: false,
} as const satisfies JsonSchema;

/** The metadata of a bundle's files. */
export interface BundleMeta {
  readonly hashes: ReadonlyMap<string, StoredFile>;
  readonly renames: ReadonlyMap<string, { readonly to: string; readonly sha1: string }>;
  readonly deletions: ReadonlySet<string>;
}

/** Reads the first member of a bundle. */
export class MetaReader {
  hasBegun = false;
  #meta: BundleMeta | null = null;

  /** Throws `upload_invalid` if it has not been read. */
  get meta(): BundleMeta {
    if (this.#meta === null) throw noMeta();
    return this.#meta;
  }

  open(name: string, size: number): MemberSink {
    if (!/^\.[A-Za-z0-9_-]+-meta\.json$/.test(name)) throw noMeta();
    if (size > uploadLimits.metaBytes) {
      throw uploadTooLarge(`${quoted(name)} is larger than ${uploadLimits.metaBytes} bytes`);
    }
    this.hasBegun = true;
    const all = Buffer.from(new ArrayBuffer(size));
    let filled = 0;
    return {
      write: (bytes) => {
        all.set(bytes, filled);
        filled += bytes.byteLength;
      },
      end: () => {
        const text = all.toString('utf8');
        freeMemory(all);
        this.#meta = metaOf(name, text);
      },
    };
  }
}

function noMeta(): Error {
  return invalidUpload('The first member of the bundle is not `.trove-meta.json`');
}

function metaOf(name: string, text: string): BundleMeta {
  const { hashes, renames, deletions } = parseMeta(name, text);
  const byPath = <E, T>(
    entries: readonly E[],
    pathOf: (entry: E) => string,
    valueOf: (entry: E) => T,
  ): Map<string, T> => {
    const map = new Map<string, T>();
    for (const entry of entries) {
      const at = cleanPath(pathOf(entry));
      if (map.has(at)) throw invalidUpload(`${quoted(name)} names ${quoted(at)} twice`);
      map.set(at, valueOf(entry));
    }
    return map;
  };
  const target = (one: { readonly new: string }): string => one.new;
  const meta = {
    hashes: byPath(hashes, (file) => file.path, storedFile),
    renames: byPath(
      renames,
      (one) => one.old,
      (one) => ({ to: cleanPath(one.new), sha1: one.sha1 }),
    ),
    deletions: new Set(deletions.map(cleanPath)),
  };
  byPath(renames, target, () => null);
  return meta;
}

function parseMeta(name: string, text: string) {
  try {
    const value: unknown = JSON.parse(text);
    return acceptParsed(bundleMetaSchema, value, name);
  } catch (error) {
    if (isTroveError(error)) throw invalidUpload(error.detail);
    throw invalidUpload(`${quoted(name)} is not valid JSON`);
  }
}

interface ReportedFile {
  readonly sha1: string;
  readonly size: number;
  readonly mtime_ns: number | string;
  readonly inode: number | string | null;
}

function storedFile(seen: ReportedFile): StoredFile {
  return {
    sha1: seen.sha1,
    size: seen.size,
    mtimeNs: wholeNumber(seen.mtime_ns),
    inode: seen.inode === null ? null : wholeNumber(seen.inode),
  };
}

/** Returns the decimal digits of a number or text. */
function wholeNumber(value: number | string): string {
  return typeof value === 'number' ? BigInt(value).toString() : value;
}
