import { createHash } from 'node:crypto';
import { closeSync, futimesSync, openSync, writeSync } from 'node:fs';
import type { StoredFile } from '../tasks/tree-state.js';
import { invalidUpload, quoted } from '../upload-errors.js';
import type { ArchiveMember, MemberSink } from './members.js';

/** File systems cannot store later times. */
const maxSeconds = 2 ** 33;

/** Writes and hashes a new file. */
export class FileWriter implements MemberSink {
  readonly #file: number;
  readonly #hash = createHash('sha1');
  readonly #member: ArchiveMember;
  readonly #done: (stored: StoredFile) => void;

  constructor(place: string, member: ArchiveMember, done: (stored: StoredFile) => void) {
    this.#file = create(place, member.path);
    this.#member = member;
    this.#done = done;
  }

  write(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    for (let at = 0; at < bytes.byteLength;) at += writeSync(this.#file, bytes, at);
  }

  end(): void {
    const { size, mtimeNs } = this.#member;
    const seconds = Number(mtimeNs) / 1e9;
    if (seconds > 0 && seconds < maxSeconds) futimesSync(this.#file, seconds, seconds);
    closeSync(this.#file);
    this.#done({ size, mtimeNs, inode: null, sha1: this.#hash.digest('hex') });
  }
}

/** Never opens an existing file, because this disk may treat different names in an archive as equal. */
function create(place: string, name: string): number {
  try {
    return openSync(place, 'wx', 0o600);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') throw invalidUpload(`${quoted(name)} occurs twice`);
    if (code !== 'ENAMETOOLONG' && code !== 'EINVAL' && code !== 'EILSEQ') throw error;
    throw invalidUpload(`${quoted(name)} is not a valid name on the server's disk`);
  }
}
