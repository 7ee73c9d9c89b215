import { XmlReader } from '@trove/connector-kit/storage';

/** An object in a listing. */
export interface S3Object {
  readonly key: string;
  readonly size: number | null;
  /** Milliseconds since 1970, or null. */
  readonly modifiedAt: number | null;
  /** Changes with the content; null if the store returns none. */
  readonly etag: string | null;
  /** '' for the standard class. */
  readonly storageClass: string;
}

/** One page of a listing. */
export interface ObjectPage {
  readonly objects: readonly S3Object[];
  /** Common prefixes of keys, up to the delimiter. */
  readonly prefixes: readonly string[];
  /** The continuation token of the next page; null at the end. */
  readonly next: string | null;
}

/** Parses a response of ListObjectsV2 in pieces. Throws for other content. */
export class ObjectPageParser {
  readonly #objects: S3Object[] = [];
  readonly #prefixes: string[] = [];
  readonly #fields = new Map<string, string>();
  readonly #xml: XmlReader;
  #object = new Map<string, string>();

  constructor() {
    this.#xml = new XmlReader((path, text) => this.#take(path, text));
  }

  write(piece: string): void {
    this.#xml.write(piece);
  }

  end(): ObjectPage {
    this.#xml.close();
    if (!this.#fields.has(root)) throw new Error('it is not a list of objects');
    const truncated = this.#fields.get(`${root}/IsTruncated`);
    if (truncated === undefined) throw new Error('it does not state whether it is truncated');
    const isTruncated = truncated === 'true';
    const next = this.#fields.get(`${root}/NextContinuationToken`) ?? '';
    if (isTruncated && next === '') throw new Error('it is truncated without a continuation token');
    const decode = this.#fields.get(`${root}/EncodingType`) === 'url' ? decodeKey : keepKey;
    return {
      objects: this.#objects.map((object) => ({ ...object, key: decode(object.key) })),
      prefixes: this.#prefixes.map(decode),
      next: isTruncated ? next : null,
    };
  }

  #take(path: string, text: string): void {
    if (path.startsWith(contentsPrefix)) {
      this.#object.set(path.slice(contentsPrefix.length), text);
    } else if (path === `${root}/Contents`) {
      this.#objects.push(objectOf(this.#object));
      this.#object = new Map();
    } else if (path === `${root}/CommonPrefixes/Prefix`) {
      this.#prefixes.push(text);
    } else {
      this.#fields.set(path, text);
    }
  }
}

const root = 'ListBucketResult';
const contentsPrefix = `${root}/Contents/`;

function objectOf(facts: ReadonlyMap<string, string>): S3Object {
  const key = facts.get('Key');
  if (key === undefined) throw new Error('an object in it has no key');
  return {
    key,
    size: sizeOf(facts.get('Size')),
    modifiedAt: timeOf(facts.get('LastModified')),
    etag: facts.get('ETag') || null,
    storageClass: facts.get('StorageClass') ?? '',
  };
}

export function sizeOf(text: string | null | undefined): number | null {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Parses a time and rounds it down to seconds, because a HEAD response of an object has only seconds. */
export function timeOf(text: string | null | undefined): number | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : Math.floor(time / 1000) * 1000;
}

/** Decodes a key. Stores escape keys like form data, because XML cannot contain all characters. */
function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Error('a key in it is not valid UTF-8');
  }
}

function keepKey(text: string): string {
  return text;
}
