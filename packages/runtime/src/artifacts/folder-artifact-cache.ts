import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, opendir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ArtifactCache } from '@trove/core/store';

/** Each file starts with the length of its value, because a crash of the machine can cut off its end. */
const lengthPrefixBytes = 8;
/** Age after which an unfinished file counts as left behind by a dead process. */
const maxDraftAgeMs = 60 * 60 * 1000;
const maxConcurrentStats = 64;

interface StoredArtifact {
  readonly file: string;
  readonly bytes: number;
  readonly usedAt: number;
}

/**
 * Stores artifacts as files in a folder that processes may share. Any file may be deleted at any time. The
 * modification time of a file is the time of its last use.
 */
export class FolderArtifactCache implements ArtifactCache {
  readonly #folder: string;

  /** The folder is created by the first `put`. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async get(key: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const file = this.#fileOf(key);
    const found = await nullIfMissing(readFile(file));
    if (found === null || found.length < lengthPrefixBytes) return null;
    const value = new Uint8Array(found.buffer, found.byteOffset, found.length).subarray(
      lengthPrefixBytes,
    );
    if (found.readBigUInt64BE() !== BigInt(value.length)) return null;
    const now = new Date();
    await nullIfMissing(utimes(file, now, now));
    return value;
  }

  async put(key: string, value: Uint8Array): Promise<void> {
    const file = this.#fileOf(key);
    const folder = dirname(file);
    const written = join(folder, `${randomUUID()}.new`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      await writeArtifact(written, value);
      await rename(written, file);
    } catch (error) {
      await rm(written, { force: true });
      throw error;
    }
  }

  async prune(maxBytes: number): Promise<void> {
    const stored: StoredArtifact[] = [];
    for await (const each of this.#stored()) stored.push(each);
    let total = stored.reduce((sum, { bytes }) => sum + bytes, 0);
    stored.sort((a, b) => a.usedAt - b.usedAt);
    for (const { file, bytes } of stored) {
      if (total <= maxBytes) return;
      await rm(file, { force: true });
      total -= bytes;
    }
  }

  /** Lists the stored files, and removes unfinished ones that were left behind. */
  async *#stored(): AsyncGenerator<StoredArtifact, void, undefined> {
    for await (const files of this.#files()) {
      const facts = await Promise.all(files.map((file) => nullIfMissing(stat(file))));
      for (const [at, file] of files.entries()) {
        const fact = facts[at];
        if (fact === undefined || fact === null) continue;
        if (!file.endsWith('.new'))
          yield { file, bytes: fact.size - lengthPrefixBytes, usedAt: fact.mtimeMs };
        else if (Date.now() - fact.mtimeMs > maxDraftAgeMs) await rm(file, { force: true });
      }
    }
  }

  async *#files(): AsyncGenerator<string[], void, undefined> {
    let files: string[] = [];
    for await (const shard of entriesOf(this.#folder)) {
      if (!shard.isDirectory() || !/^[0-9a-f]{2}$/.test(shard.name)) continue;
      const folder = join(this.#folder, shard.name);
      for await (const entry of entriesOf(folder)) {
        if (!entry.isFile() || !isArtifactFile(entry.name)) continue;
        files.push(join(folder, entry.name));
        if (files.length < maxConcurrentStats) continue;
        yield files;
        files = [];
      }
    }
    yield files;
  }

  #fileOf(key: string): string {
    const name = createHash('sha256').update(key).digest('hex');
    return join(this.#folder, name.slice(0, 2), name.slice(2));
  }
}

/** Foreign files in the folder are not deleted. */
function isArtifactFile(name: string): boolean {
  return /^[0-9a-f]{62}$|^[0-9a-f-]{36}\.new$/.test(name);
}

async function writeArtifact(file: string, value: Uint8Array): Promise<void> {
  const length = Buffer.alloc(lengthPrefixBytes);
  length.writeBigUInt64BE(BigInt(value.length));
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writev([length, value]);
  } finally {
    await handle.close();
  }
}

async function* entriesOf(folder: string) {
  const opened = await nullIfMissing(opendir(folder));
  if (opened !== null) yield* opened;
}

async function nullIfMissing<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
