import { XmlReader, type StoredObject, type StoredObjectPage } from '@trove/connector-kit/storage';

/** One page of a listing. */
export interface BlobPage extends StoredObjectPage {
  /** The marker of the next page; null at the end. */
  readonly next: string | null;
}

const root = 'EnumerationResults';
const blobPrefix = `${root}/Blobs/Blob/`;
/** The service sends these elements even if they are empty. */
const requiredPaths: readonly string[] = [root, `${root}/Blobs`, `${root}/NextMarker`];

/** Parses a response of List Blobs in pieces. Throws for other content. */
export class BlobPageParser {
  readonly #objects: StoredObject[] = [];
  readonly #prefixes: string[] = [];
  readonly #xml: XmlReader;
  #facts = new Map<string, string>();
  #next = '';
  readonly #seen = new Set<string>();

  constructor() {
    this.#xml = new XmlReader((path, text, { Encoded: encoded }) => {
      this.#take(path, encoded === 'true' ? decodeName(text) : text);
    });
  }

  write(piece: string): void {
    this.#xml.write(piece);
  }

  end(): BlobPage {
    this.#xml.close();
    if (!requiredPaths.every((path) => this.#seen.has(path)))
      throw new Error('it is not a list of blobs');
    const next = this.#next === '' ? null : this.#next;
    return { objects: this.#objects, prefixes: this.#prefixes, next };
  }

  #take(path: string, text: string): void {
    if (requiredPaths.includes(path)) this.#seen.add(path);
    if (path.startsWith(blobPrefix)) {
      this.#facts.set(path.slice(blobPrefix.length), text);
    } else if (path === `${root}/Blobs/Blob`) {
      this.#objects.push(objectOf(this.#facts));
      this.#facts = new Map();
    } else if (path === `${root}/Blobs/BlobPrefix/Name`) {
      this.#prefixes.push(text);
    } else if (path === `${root}/NextMarker`) {
      this.#next = text;
    }
  }
}

/** Decodes a name with a character that XML does not allow. */
function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw new Error(`a name in it is badly encoded: ${text.slice(0, 200)}`, { cause: error });
  }
}

function objectOf(facts: ReadonlyMap<string, string>): StoredObject {
  const key = facts.get('Name');
  if (key === undefined) throw new Error('a blob in it has no name');
  const property = (name: string): string => facts.get(`Properties/${name}`) ?? '';
  const size = sizeOf(property('Content-Length'));
  return {
    key,
    size,
    modifiedAt: timeOf(property('Last-Modified')),
    etag: normalizeEtag(property('Etag')),
    // Accounts with a hierarchical namespace list their folders.
    isFolder: property('ResourceType') === 'directory' || isFolderMarker(key, size),
    skip: skipOf(property('AccessTier')),
  };
}

/** Returns whether a blob is an empty one with a final slash, as some tools create for folders. */
export function isFolderMarker(name: string, size: number | null): boolean {
  return name.endsWith('/') && size === 0;
}

/** Returns the reason why a blob in an access tier cannot be read, or null. */
export function skipOf(tier: string): string | null {
  return tier === 'Archive'
    ? 'archived (access tier Archive): it must be rehydrated to another tier before it can be read'
    : null;
}

/** Returns an ETag without quotes. Listings have none, unlike headers. */
export function normalizeEtag(text: string | null): string | null {
  return text?.replace(/^W\//, '').replaceAll('"', '') || null;
}

export function sizeOf(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

export function timeOf(text: string | null): number | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : time;
}
