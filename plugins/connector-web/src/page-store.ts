import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';

import type { PageFacts } from './page-facts.js';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);
const headLengthBytes = 4;

/** What is known of a page as it was fetched. */
export interface FetchedPage {
  readonly address: string;
  readonly etag: string | null;
  /** The header, as the server wrote it. */
  readonly lastModified: string | null;
  /** Milliseconds since 1970, by page or server. */
  readonly modifiedAt: number | null;
  /** Of the page in UTF-8, in bytes. */
  readonly size: number;
  readonly facts: PageFacts;
}

export interface StoredPage extends FetchedPage {
  /** The listing that last asked the site for it. */
  readonly checkedAt: number;
}

/**
 * Copies of the pages of a site, each in a file with what is known of it: a listing asks with its validators, follows its
 * links if nothing changed, and `read` needs not ask again. The time of the file is that of the listing that asked the site.
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
    const known = await headOf(file);
    return known === null || known.address !== address.href
      ? null
      : { ...known, checkedAt: Math.round(mtimeMs) };
  }

  /** In UTF-8. */
  async loadHtml(address: URL): Promise<Uint8Array | null> {
    const file = await this.#read(address);
    if (file === null) return null;
    return inflate(file.subarray(headLengthBytes + file.readUInt32LE(0))).catch(() => null);
  }

  /** `listing`: when the listing began that the page is of. */
  async store(page: FetchedPage, html: Uint8Array, listing: number): Promise<void> {
    const head = await deflate(JSON.stringify(page));
    const length = Buffer.alloc(headLengthBytes);
    length.writeUInt32LE(head.length);
    const file = this.#fileOf(new URL(page.address));
    const made = `${file}.${randomBytes(6).toString('hex')}`;
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(made, Buffer.concat([length, head, await deflate(html)]), { mode: 0o600 });
    await touch(made, listing);
    await rename(made, file);
  }

  /** It is as it was. */
  async markChecked(address: URL, listing: number): Promise<void> {
    await touch(this.#fileOf(address), listing).catch(() => undefined);
  }

  async delete(address: URL): Promise<void> {
    await rm(this.#fileOf(address), { force: true });
  }

  /** Removes what no listing since one has asked the site for. */
  async deleteUnchecked(since: number): Promise<void> {
    const names = await readdir(this.#pages, { recursive: true }).catch(() => []);
    for (const name of names) {
      const file = join(this.#pages, name);
      const found = await stat(file).catch(() => null);
      if (found?.isFile() === true && Math.round(found.mtimeMs) < since)
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
    // A disk that was full, or a machine that lost power: the page is fetched again.
    return null;
  }
}

async function touch(file: string, listing: number): Promise<void> {
  const seconds = listing / 1000;
  await utimes(file, seconds, seconds);
}
