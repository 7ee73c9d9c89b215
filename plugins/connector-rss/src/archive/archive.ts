import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';

import type { FeedValidators } from '../client.js';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);
/** Raise this when equal documents would yield other entries. */
const version = 1;

/** An entry without its content. */
export interface StoredEntry {
  readonly id: string;
  /** Path in the folder of the feed. It stays the same after a change of the title. */
  readonly path: string;
  readonly title: string;
  readonly url: string | null;
  readonly author: string | null;
  readonly publishedAt: number | null;
  readonly updatedAt: number | null;
  readonly categories: readonly string[];
  readonly size: number;
  /** Hash of the content and the other members. */
  readonly fingerprint: string;
}

/** A feed as of its last sync. */
export interface StoredFeed extends FeedValidators {
  /** Address of the feed itself, if the configured address is a page. */
  readonly address: string;
  readonly title: string;
  readonly language: string | null;
  readonly entries: readonly StoredEntry[];
}

/** Stores the entries of one feed in the cache folder of a source. */
export class FeedArchive {
  readonly #folder: string;

  constructor(folder: string, key: string) {
    this.#folder = join(folder, 'feeds', key);
  }

  /** Returns null for a feed that is not stored, or whose file is damaged. */
  async load(): Promise<StoredFeed | null> {
    const bytes = await readFile(this.#indexFile).catch(() => null);
    if (bytes === null) return null;
    try {
      const stored: { version: number; feed: StoredFeed } = JSON.parse(
        (await inflate(bytes)).toString(),
      );
      return stored.version === version ? stored.feed : null;
    } catch {
      return null;
    }
  }

  /** Stores the feed. Store its documents first. */
  async save(feed: StoredFeed): Promise<void> {
    await this.#write(this.#indexFile, await deflate(JSON.stringify({ version, feed })));
  }

  async loadDocument(id: string): Promise<Uint8Array | null> {
    const bytes = await readFile(this.#documentFile(id)).catch(() => null);
    return bytes === null ? null : inflate(bytes).catch(() => null);
  }

  async saveDocument(id: string, html: string): Promise<void> {
    await this.#write(this.#documentFile(id), await deflate(html));
  }

  async deleteDocument(id: string): Promise<void> {
    await rm(this.#documentFile(id), { force: true });
  }

  async #write(file: string, bytes: Uint8Array): Promise<void> {
    const temporary = `${file}.${randomBytes(6).toString('hex')}`;
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(temporary, bytes, { mode: 0o600 });
    await rename(temporary, file);
  }

  get #indexFile(): string {
    return join(this.#folder, 'index');
  }

  #documentFile(id: string): string {
    const name = createHash('sha256').update(id).digest('hex').slice(0, 40);
    return join(this.#folder, name.slice(0, 2), name.slice(2));
  }
}
