import { createHash } from 'node:crypto';

const maxKeys = 200_000;

/** Recognizes the last 200,000 keys of a stream, to leave out repeated items. */
export class RecentKeys {
  readonly #digests = new Set<string>();

  /** Returns whether the key is new, and remembers it. */
  add(key: string): boolean {
    const digest = digestOf(key);
    if (this.#digests.has(digest)) return false;
    this.#digests.add(digest);
    const [oldest] = this.#digests;
    if (this.#digests.size > maxKeys && oldest !== undefined) this.#digests.delete(oldest);
    return true;
  }

  has(key: string): boolean {
    return this.#digests.has(digestOf(key));
  }
}

function digestOf(key: string): string {
  return createHash('sha1').update(key).digest('base64').slice(0, 12);
}
