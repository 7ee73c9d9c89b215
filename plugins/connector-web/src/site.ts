import type { TroveError, TroveErrorOptions } from '@trove/core';
import { parseUri } from '@trove/core';

import { addressOf } from './address.js';
import { isLikelyDocument } from './kinds.js';

/** Ends of names of files: such a target is one page or document, and not a folder of them. */
const oneFile =
  /\.(?:x?html?|shtml|php|aspx?|jsp|md|txt|csv|json|pdf|docx|pptx|xlsx|odt|odp|ods|epub|rtf|ipynb)$/i;

export type MakeError = (
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
  readonly isOne: boolean;
  readonly starts: readonly URL[];
  readonly scopes: readonly string[];
}

/** Which addresses of one host belong to a source. */
export class Site {
  /** Paths of the tree are relative to this address. It ends with a slash, unless the source is one file. */
  readonly root: URL;
  /** Just one page or document, which has no path in the tree. */
  readonly isOne: boolean;
  /** Where the crawl begins. */
  readonly starts: readonly URL[];
  /** Paths of the pages and, with a slash at their ends, folders that belong to the source. */
  readonly #scopes: readonly string[];

  private constructor({ root, isOne, starts, scopes }: SiteParts) {
    this.root = root;
    this.isOne = isOne;
    this.starts = starts;
    this.#scopes = scopes;
  }

  /** What is at and below a target. Throws `validation_error` for a target that no site can be at. */
  static of(target: string, error: MakeError): Site {
    const { scheme, authority, path } = parseUri(target);
    const isOne = oneFile.test(path);
    const escaped = path.split('/').map(encodeURIComponent).join('/');
    const address = addressOf(`${scheme}://${authority}${escaped}${isOne ? '' : '/'}`);
    if (address === null) {
      throw error('validation_error', `target: ${target.slice(0, 200)} is no address of a site`, {
        suggestions: ['Write it like https://docs.example.com/guide, without a user or password.'],
      });
    }
    if (path.includes('?')) {
      throw error('validation_error', 'target: must not have a part after `?`', {
        suggestions: ['Add the folder that holds the pages: all that is linked below it is taken.'],
      });
    }
    return new Site({ root: address, isOne, starts: [address], scopes: [address.pathname] });
  }

  /** What is at and below addresses of one host, or everything on it. Paths of the tree are those of the host. */
  static onHost(
    starts: readonly [URL, ...URL[]],
    { isWhole }: { readonly isWhole: boolean },
  ): Site {
    const root = new URL('/', starts[0]);
    const scopes = isWhole ? ['/'] : starts.map(scopeOf);
    return new Site({
      root,
      isOne: false,
      starts: starts.map((each) => placedAt(each, root)),
      scopes,
    });
  }

  /** Whether it has folders, of which sitemaps may name the pages. */
  get hasFolders(): boolean {
    return this.#scopes.some((scope) => scope.endsWith('/'));
  }

  /** The same site at the address that its first page really has. */
  movedTo(place: URL): Site {
    const { isOne } = this;
    const [root, ...starts] = [this.root, ...this.starts].map((each) => placedAt(each, place));
    return new Site({ root: root ?? this.root, isOne, starts, scopes: this.#scopes });
  }

  isSameSite(other: URL): boolean {
    return siteKey(other) === siteKey(this.root);
  }

  /** Whether it is the front page of the site, or of a folder at which the crawl begins. */
  isFront({ href }: URL): boolean {
    if (href === this.root.href) return true;
    return this.starts.some((start) => start.href === href && start.pathname.endsWith('/'));
  }

  /** Whether two addresses of the site are in the same part of the source. */
  isSamePart(one: URL, other: URL): boolean {
    return this.#scopes.some((scope) => isWithin(one, scope) && isWithin(other, scope));
  }

  /** An address of this site, in its one form, if it belongs to the source. */
  own(address: URL): URL | null {
    if (!this.isSameSite(address)) return null;
    const own = placedAt(address, this.root);
    return this.#scopes.some((scope) => isWithin(own, scope)) ? own : null;
  }
}

/** Equal for all addresses of one site: with or without `www.`, and whether or not it is encrypted. */
export function siteKey(address: URL): string {
  return address.port === '' ? bareHost(address.hostname) : address.origin;
}

export function bareHost(hostname: string): string {
  return hostname.replace(/^www\./, '');
}

/** The part of a host that begins at an address: a folder, or the path of one document. */
function scopeOf(start: URL): string {
  const { pathname } = start;
  if (pathname.endsWith('/') || isLikelyDocument(start)) return pathname;
  // A page like `/guide/intro.html` is in the folder whose pages it leads to.
  return oneFile.test(pathname) ? pathname.slice(0, pathname.lastIndexOf('/') + 1) : `${pathname}/`;
}

function isWithin({ pathname }: URL, scope: string): boolean {
  if (!scope.endsWith('/')) return pathname === scope;
  return pathname.startsWith(scope) || `${pathname}/` === scope;
}

/** An address on the host of another, asked for in the same way. */
function placedAt(address: URL, { protocol, host }: URL): URL {
  const placed = new URL(address);
  placed.protocol = protocol;
  placed.host = host;
  return placed;
}
