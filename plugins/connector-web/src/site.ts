import { type TroveError, type TroveErrorOptions, parseUri } from '@trove/core';

import { parseAddress } from './address.js';
import { isLikelyDocument } from './address-kinds.js';

/** Endings of file names. A target with such an ending is one page or document instead of a folder. */
const fileEnding =
  /\.(?:x?html?|shtml|php|aspx?|jsp|md|txt|csv|json|pdf|docx|pptx|xlsx|odt|odp|ods|epub|rtf|ipynb)$/i;

export type WebErrorFactory = (
  code:
    | 'validation_error'
    | 'config_invalid'
    | 'connector_unhealthy'
    | 'not_found'
    | 'listing_incomplete',
  detail: string,
  options?: TroveErrorOptions,
) => TroveError;

interface SiteParts {
  readonly root: URL;
  readonly isSingleFile: boolean;
  readonly starts: readonly URL[];
  readonly scopes: readonly string[];
}

/** The addresses of one host that belong to a source. */
export class Site {
  /** Paths of the tree are relative to this address. It ends with a slash, unless the source is one file. */
  readonly root: URL;
  /** Whether the source is a single page or document, which has an empty path in the tree. */
  readonly isSingleFile: boolean;
  /** The addresses where the crawl begins. */
  readonly starts: readonly URL[];
  /** Paths of the pages that belong to the source, and of folders, which end with a slash. */
  readonly #scopes: readonly string[];

  private constructor({ root, isSingleFile, starts, scopes }: SiteParts) {
    this.root = root;
    this.isSingleFile = isSingleFile;
    this.starts = starts;
    this.#scopes = scopes;
  }

  /** The site at and below a target. Throws `validation_error` for a target that cannot be a site. */
  static of(target: string, error: WebErrorFactory): Site {
    const { scheme, authority, path } = parseUri(target);
    const isSingleFile = fileEnding.test(path);
    const escaped = path.split('/').map(encodeURIComponent).join('/');
    const address = parseAddress(`${scheme}://${authority}${escaped}${isSingleFile ? '' : '/'}`);
    if (address === null) {
      throw error(
        'validation_error',
        `target: ${target.slice(0, 200)} is not the address of a site`,
        {
          suggestions: [
            'Write it like https://docs.example.com/guide, without a user or password.',
          ],
        },
      );
    }
    if (path.includes('?')) {
      throw error('validation_error', 'target: must not have a part after `?`', {
        suggestions: ['Add the folder of the pages. All linked pages below it are included.'],
      });
    }
    return new Site({
      root: address,
      isSingleFile,
      starts: [address],
      scopes: [address.pathname],
    });
  }

  /** The site at and below addresses of one host, or the whole host. Paths in the tree are the paths of the host. */
  static onHost(
    starts: readonly [URL, ...URL[]],
    { isWhole }: { readonly isWhole: boolean },
  ): Site {
    const root = new URL('/', starts[0]);
    const scopes = isWhole ? ['/'] : starts.map(scopeOf);
    return new Site({
      root,
      isSingleFile: false,
      starts: starts.map((each) => withOriginOf(each, root)),
      scopes,
    });
  }

  /** Whether the site has folders. Sitemaps may name their pages. */
  get hasFolders(): boolean {
    return this.#scopes.some((scope) => scope.endsWith('/'));
  }

  /** Returns the same site at the actual origin of its first page. */
  moveTo(place: URL): Site {
    const { isSingleFile } = this;
    const [root, ...starts] = [this.root, ...this.starts].map((each) => withOriginOf(each, place));
    return new Site({ root: root ?? this.root, isSingleFile, starts, scopes: this.#scopes });
  }

  isSameSite(other: URL): boolean {
    return siteKey(other) === siteKey(this.root);
  }

  /** Whether the address is the front page of the site or of a folder where the crawl begins. */
  isFrontPage({ href }: URL): boolean {
    if (href === this.root.href) return true;
    return this.starts.some((start) => start.href === href && start.pathname.endsWith('/'));
  }

  /** Whether two addresses of the site are in the same part of the source. */
  isSamePart(one: URL, other: URL): boolean {
    return this.#scopes.some((scope) => isWithin(one, scope) && isWithin(other, scope));
  }

  /** The canonical form of an address of this site; null if it does not belong to the source. */
  normalize(address: URL): URL | null {
    if (!this.isSameSite(address)) return null;
    const own = withOriginOf(address, this.root);
    return this.#scopes.some((scope) => isWithin(own, scope)) ? own : null;
  }
}

/** A key that is equal for all addresses of a site, with or without `www.`, over `http` and `https`. */
export function siteKey(address: URL): string {
  return address.port === '' ? bareHost(address.hostname) : address.origin;
}

export function bareHost(hostname: string): string {
  return hostname.replace(/^www\./, '');
}

/** The part of a host at an address: a folder or the path of one document. */
function scopeOf(start: URL): string {
  const { pathname } = start;
  if (pathname.endsWith('/') || isLikelyDocument(start)) return pathname;
  // A page like `/guide/intro.html` stands for the pages of its folder.
  return fileEnding.test(pathname)
    ? pathname.slice(0, pathname.lastIndexOf('/') + 1)
    : `${pathname}/`;
}

function isWithin({ pathname }: URL, scope: string): boolean {
  if (!scope.endsWith('/')) return pathname === scope;
  return pathname.startsWith(scope) || `${pathname}/` === scope;
}

/** The address with the protocol and host of another one. */
function withOriginOf(address: URL, { protocol, host }: URL): URL {
  const placed = new URL(address);
  placed.protocol = protocol;
  placed.host = host;
  return placed;
}
