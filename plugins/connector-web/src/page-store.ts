import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';

import type { PageFacts } from './page-facts.js';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);
const headLengthBytes = 4;

/** A fetched page without its content. */
export interface FetchedPage {
  readonly address: string;
  readonly etag: string | null;
  /** The header as the server wrote it. */
  readonly lastModified: string | null;
  /** Milliseconds since 1970, from the page or the server. */
  readonly modifiedAt: number | null;
  /** Size of the page in UTF-8, in bytes. */
  readonly size: number;
  readonly facts: PageFacts;
}

export interface StoredPage extends FetchedPage {
  /** Start of the last listing that requested the page. */
  readonly checkedAt: number;
}

/**
 * Stores the pages of a site with their validators and links, one file per page. Listings send the validators, and `read`
 * needs no request. The modification time of a file is the start of the last listing that requested the page.
 */
export class PageStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async load(address: URL): Promise<StoredPage | null> {
    const file = await this.#read(address);
    if (file === null) return null;
    const { mtimeMs } = await stat(this.#fileOf(address)).catch(() => ({ mtimeMs: 0 }));
    const page = await headOf(file);
    return page === null || page.address !== address.href
      ? null
      : { ...page, checkedAt: Math.round(mtimeMs) };
  }

  /** Returns the page in UTF-8; null if it is not stored. */
  async loadHtml(address: URL): Promise<Uint8Array | null> {
    const file = await this.#read(address);
    if (file === null) return null;
    return inflate(file.subarray(headLengthBytes + file.readUInt32LE(0))).catch(() => null);
  }

  /** `listing` is the start of the listing that fetched the page. */
  async store(page: FetchedPage, html: Uint8Array, listing: number): Promise<void> {
    const head = await deflate(JSON.stringify(page));
    const length = Buffer.alloc(headLengthBytes);
    length.writeUInt32LE(head.length);
    const file = this.#fileOf(new URL(page.address));
    const temporary = `${file}.${randomBytes(6).toString('hex')}`;
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(temporary, Buffer.concat([length, head, await deflate(html)]), { mode: 0o600 });
    await touch(temporary, listing);
    await rename(temporary, file);
  }

  /** Records that an unchanged page was requested. */
  async markChecked(address: URL, listing: number): Promise<void> {
    await touch(this.#fileOf(address), listing).catch(() => undefined);
  }

  async delete(address: URL): Promise<void> {
    await rm(this.#fileOf(address), { force: true });
  }

  /** Deletes the pages that no listing has requested since a time. */
  async deleteUnchecked(since: number): Promise<void> {
    const names = await readdir(this.#pages, { recursive: true }).catch(() => []);
    for (const name of names) {
      const file = join(this.#pages, name);
      const stats = await stat(file).catch(() => null);
      if (stats?.isFile() === true && Math.round(stats.mtimeMs) < since)
        await rm(file, { force: true });
    }
  }

  async deleteAll(): Promise<void> {
    await rm(this.#pages, { recursive: true, force: true });
  }

  get #pages(): string {
    return join(this.#folder, 'pages');
  }

  #fileOf({ href }: URL): string {
    const name = createHash('sha256').update(href).digest('hex').slice(0, 40);
    return join(this.#pages, name.slice(0, 2), name.slice(2));
  }

  async #read(address: URL): Promise<Buffer | null> {
    const file = await readFile(this.#fileOf(address)).catch(() => null);
    return file === null || file.length < headLengthBytes ? null : file;
  }
}

async function headOf(file: Buffer): Promise<FetchedPage | null> {
  try {
    const head = await inflate(
      file.subarray(headLengthBytes, headLengthBytes + file.readUInt32LE(0)),
    );
    const page: FetchedPage = JSON.parse(head.toString());
    return page;
  } catch {
    // The file is damaged after a full disk or a power failure. The page is fetched again.
    return null;
  }
}

async function touch(file: string, listing: number): Promise<void> {
  const seconds = listing / 1000;
  await utimes(file, seconds, seconds);
}
