import { XmlReader } from '@trove/connector-kit/storage';

/** A response of PROPFIND about one file or collection. */
export interface DavResource {
  /** As the server wrote it. */
  readonly href: string;
  readonly isCollection: boolean;
  readonly size: number | null;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number | null;
  /** Changes with the content; null if the server returns none. */
  readonly etag: string | null;
  readonly mediaType: string | null;
  /** The id of a file at Nextcloud and ownCloud, which a rename keeps. */
  readonly fileId: string | null;
  /** The HTTP status of a resource that could not be described, else null. */
  readonly failure: number | null;
}

/** The properties to request. Some servers compute others slowly. */
export const propfindBody = `<?xml version="1.0" encoding="utf-8"?>
<propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getlastmodified/><getetag/><getcontenttype/><fileid xmlns="http://owncloud.org/ns"/></prop></propfind>`;

const root = 'multistatus';
const response = `${root}/response`;
const propstat = `${response}/propstat`;
const prop = `${propstat}/prop/`;

/** Parses a response with status 207 in pieces. Throws for other content. */
export class MultistatusParser {
  readonly #resources: DavResource[] = [];
  readonly #xml: XmlReader;
  #isMultistatus = false;
  #href = '';
  #status: number | null = null;
  /** Properties with a successful status. */
  #properties = new Map<string, string>();
  #pending = new Map<string, string>();
  #pendingStatus: number | null = null;
  #failedStatus: number | null = null;

  constructor() {
    this.#xml = new XmlReader((path, text) => this.#take(path, text.trim()));
  }

  write(piece: string): void {
    this.#xml.write(piece);
  }

  /** Returns the resources since the last call. */
  takeResources(): DavResource[] {
    return this.#resources.splice(0);
  }

  end(): void {
    this.#xml.close();
    if (!this.#isMultistatus) throw new Error('it is not a multi-status response');
  }

  #take(path: string, text: string): void {
    if (path.startsWith(prop)) this.#pending.set(path.slice(prop.length), text);
    else if (path === `${propstat}/status`) this.#pendingStatus = statusOf(text);
    else if (path === propstat) this.#endPropstat();
    else if (path === `${response}/href`) this.#href ||= text;
    else if (path === `${response}/status`) this.#status = statusOf(text);
    else if (path === response) this.#endResponse();
    else if (path === root) this.#isMultistatus = true;
  }

  #endPropstat(): void {
    const status = this.#pendingStatus ?? 200;
    if (isSuccess(status))
      for (const [name, text] of this.#pending) this.#properties.set(name, text);
    else if (this.#pending.has('resourcetype')) this.#failedStatus = status;
    this.#pending = new Map();
    this.#pendingStatus = null;
  }

  #endResponse(): void {
    if (this.#href === '') throw new Error('a response in it has no address');
    const status = this.#status ?? (this.#properties.size === 0 ? this.#failedStatus : null);
    const failure = status === null || isSuccess(status) ? null : status;
    this.#resources.push(resourceOf(this.#href, this.#properties, failure));
    this.#href = '';
    this.#status = null;
    this.#failedStatus = null;
    this.#properties = new Map();
  }
}

function resourceOf(
  href: string,
  properties: ReadonlyMap<string, string>,
  failure: number | null,
): DavResource {
  const length = properties.get('getcontentlength') ?? '';
  return {
    href,
    isCollection: properties.has('resourcetype/collection'),
    size: /^\d{1,15}$/.test(length) ? Number(length) : null,
    modifiedAt: timeOf(properties.get('getlastmodified')),
    etag: normalizeEtag(properties.get('getetag')),
    mediaType: properties.get('getcontenttype') || null,
    fileId: properties.get('fileid') || null,
    failure,
  };
}

/**
 * Returns an ETag in the form of the stored file. Proxies and compression mark it as weak or add a suffix, depending on the
 * request.
 */
export function normalizeEtag(text: string | undefined): string | null {
  const bare = text
    ?.trim()
    .replace(/^W\//i, '')
    .replaceAll(/^"|"$/g, '')
    .replace(/(?:-{1,2}|;)(?:gzip|br|deflate|zstd|df)$/i, '');
  return bare === undefined || bare === '' ? null : bare;
}

/** Parses `HTTP/1.1 404 Not Found`. Returns null for another text. */
function statusOf(text: string): number | null {
  const [, status] = /^HTTP\/[\d.]+\s+(\d{3})\b/i.exec(text) ?? [];
  return status === undefined ? null : Number(status);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function timeOf(text: string | undefined): number | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : time;
}
