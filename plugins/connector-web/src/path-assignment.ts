import { pathsOf } from './paths.js';
import type { Site } from './site.js';

/** Limit of exact paths, because a site with more conflicts generates its pages endlessly. */
const maxExactPaths = 1000;

/** Assigns a path to each address, and finds copies among similar addresses. */
export class PathAssignment {
  readonly #site: Site;
  readonly #onExact: (address: string) => Promise<void>;
  readonly #paths = new Map<string, string>();
  /** Fingerprints of pages, each with the common part of similar addresses. */
  readonly #contents = new Set<string>();
  #exact = 0;

  /** Calls `onExact` for each address with an exact path. */
  constructor(site: Site, onExact: (address: string) => Promise<void>) {
    this.#site = site;
    this.#onExact = onExact;
  }

  /** Assigns a path to a page. Returns null for a copy and for an address that has a path already. */
  async assign(
    address: URL,
    mediaType: string,
    fingerprint: string | null,
  ): Promise<string | null> {
    const { root, isSingleFile } = this.#site;
    const [usual, exact] = isSingleFile ? (['', ''] as const) : pathsOf(address, root, mediaType);
    if (fingerprint !== null) {
      const content = `${fingerprint} ${bareAddress(address)}`;
      if (this.#contents.has(content)) return null;
      this.#contents.add(content);
    }
    const path = this.#paths.has(usual) ? exact : usual;
    if (this.#paths.has(path) || (path !== usual && ++this.#exact > maxExactPaths)) return null;
    this.#paths.set(path, address.href);
    if (path !== usual) await this.#onExact(address.href);
    return path;
  }

  /** Assigns a path to a left-out address. */
  assignSkipped(address: URL, mediaType: string): string {
    const [usual, exact] = pathsOf(address, this.#site.root, mediaType);
    if (this.#site.isSingleFile) return '';
    const path = this.#paths.has(usual) ? exact : usual;
    this.#paths.set(path, address.href);
    return path;
  }
}

/** Returns the common part of addresses that servers often use for the same page. */
function bareAddress({ pathname }: URL): string {
  return pathname
    .toLowerCase()
    .replace(/\/index(?:\.\w+)?$/, '')
    .replace(/\.x?html?$/, '')
    .replace(/\/$/, '');
}
