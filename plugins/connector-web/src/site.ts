import type { TroveError, TroveErrorOptions } from '@trove/core';
import { parseUri } from '@trove/core';

import { addressOf } from './address.js';

/** Ends of names of files: such a target is one page or document, and not a folder of them. */
const oneFile =
  /\.(?:x?html?|shtml|php|aspx?|jsp|md|txt|csv|json|pdf|docx|pptx|xlsx|odt|odp|ods|epub|rtf|ipynb)$/i;

export type MakeError = (
  code: 'validation_error' | 'connector_unhealthy' | 'not_found' | 'listing_incomplete',
  detail: string,
  options?: TroveErrorOptions,
) => TroveError;

/** Which addresses belong to a source. */
export class Site {
  /** With a slash at its end, unless it is one file. */
  readonly root: URL;
  /** Just one page or document. */
  readonly isOne: boolean;

  constructor(root: URL, isOne: boolean) {
    this.root = root;
    this.isOne = isOne;
  }

  /** Throws `validation_error` for a target that no site can be at. */
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
    return new Site(address, isOne);
  }

  /** The same site at the address that its first page really has. */
  movedTo({ protocol, host }: URL): Site {
    const root = new URL(this.root);
    root.protocol = protocol;
    root.host = host;
    return new Site(root, this.isOne);
  }

  /** Whether another address is of the same site: with or without `www.`, and whether or not it is encrypted. */
  isSameSite(other: URL): boolean {
    if (other.origin === this.root.origin) return true;
    if (other.port !== '' || this.root.port !== '') return false;
    return bareHost(other) === bareHost(this.root);
  }

  /** An address of this site, in its one form, if it belongs to the source. */
  own(address: URL): URL | null {
    if (!this.isSameSite(address)) return null;
    const own = new URL(address);
    own.protocol = this.root.protocol;
    own.host = this.root.host;
    return this.#holds(own) ? own : null;
  }

  #holds({ pathname }: URL): boolean {
    const root = this.root.pathname;
    if (this.isOne) return pathname === root;
    return pathname.startsWith(root) || `${pathname}/` === root;
  }
}

function bareHost({ hostname }: URL): string {
  return hostname.replace(/^www\./, '');
}
