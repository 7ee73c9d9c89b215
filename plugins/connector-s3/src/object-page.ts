import { XmlReader } from './xml.js';

/** An object as a listing tells of it. */
export interface S3Object {
  readonly key: string;
  readonly size: number | null;
  /** Milliseconds since 1970, or null. */
  readonly modifiedAt: number | null;
  /** Changes with the content, whatever it is made of; null when the store tells none. */
  readonly etag: string | null;
  /** '' for the usual one. */
  readonly storageClass: string;
}

/** A part of a listing. */
export interface ObjectPage {
  readonly objects: readonly S3Object[];
  /** What keys begin with that a delimiter cut off. */
  readonly prefixes: readonly string[];
  /** Where the next page begins, null at the end. */
  readonly next: string | null;
}

/** Reads an answer to ListObjectsV2, piece by piece. Throws for anything else. */
export class ObjectPageParser {
  readonly #objects: S3Object[] = [];
  readonly #prefixes: string[] = [];
  readonly #about = new Map<string, string>();
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
    if (!this.#about.has(root)) throw new Error('it is no list of objects');
    const isTruncated = this.#about.get(`${root}/IsTruncated`) === 'true';
    const next = this.#about.get(`${root}/NextContinuationToken`) ?? '';
    if (isTruncated && next === '')
      throw new Error('it breaks off without saying where it goes on');
    const decode = this.#about.get(`${root}/EncodingType`) === 'url' ? decodeKey : keepKey;
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
      this.#about.set(path, text);
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

/** To the second, which is all that an object itself tells of the time that its listing has. */
export function timeOf(text: string | null | undefined): number | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : Math.floor(time / 1000) * 1000;
}

/** XML cannot hold every character of a key, so stores are asked to escape them as in a form. */
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
