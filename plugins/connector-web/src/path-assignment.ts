import { pathsOf } from './paths.js';
import type { Site } from './site.js';

/** A site on which every page has a rival is one that makes them up. */
const maxExactPaths = 1000;

/** Gives each address its place in the tree, and finds copies among those that look alike. */
export class PathAssignment {
  readonly #site: Site;
  readonly #onExact: (address: string) => Promise<void>;
  readonly #taken = new Map<string, string>();
  /** What pages say, by what their addresses have in common. */
  readonly #same = new Set<string>();
  #exact = 0;

  /** `onExact`: told of each address that is not at its usual place. */
  constructor(site: Site, onExact: (address: string) => Promise<void>) {
    this.#site = site;
    this.#onExact = onExact;
  }

  /** Null for a copy of what has a place already, and for what has one. */
  async assign(
    address: URL,
    mediaType: string,
    fingerprint: string | null,
  ): Promise<string | null> {
    const { root, isSingleFile: isOne } = this.#site;
    const [usual, exact] = isOne ? (['', ''] as const) : pathsOf(address, root, mediaType);
    if (fingerprint !== null) {
      const said = `${fingerprint} ${bareAddress(address)}`;
      if (this.#same.has(said)) return null;
      this.#same.add(said);
    }
    const path = this.#taken.has(usual) ? exact : usual;
    if (this.#taken.has(path) || (path !== usual && ++this.#exact > maxExactPaths)) return null;
    this.#taken.set(path, address.href);
    if (path !== usual) await this.#onExact(address.href);
    return path;
  }

  /** Where what is left out is shown. */
  assignSkipped(address: URL, mediaType: string): string {
    const [usual, exact] = pathsOf(address, this.#site.root, mediaType);
    if (this.#site.isSingleFile) return '';
    const path = this.#taken.has(usual) ? exact : usual;
    this.#taken.set(path, address.href);
    return path;
  }
}

/** The same for addresses under which servers often have one page. */
function bareAddress({ pathname }: URL): string {
  return pathname
    .toLowerCase()
    .replace(/\/index(?:\.\w+)?$/, '')
    .replace(/\.x?html?$/, '')
    .replace(/\/$/, '');
}
