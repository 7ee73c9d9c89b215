import { uploadLimits } from './limits.js';
import { invalidUpload, quoted, uploadTooLarge } from './upload-errors.js';

/**
 * Returns the canonical form of a path in an upload: relative, `/`-separated, without `.` and `..`; '' for the root.
 * Accepts a leading `./` and a trailing `/`, which archivers write. Throws `upload_invalid`.
 */
export function cleanPath(name: string): string {
  if (Buffer.byteLength(name) > uploadLimits.nameBytes) {
    throw invalidUpload(`${quoted(name)} is longer than ${uploadLimits.nameBytes} bytes`);
  }
  if (name.startsWith('/')) throw invalidUpload(`${quoted(name)} is an absolute path`);
  const path = name.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '');
  if (path === '' || path === '.') return '';
  const reason = path
    .split('/')
    .map(problemOf)
    .find((problem) => problem !== null);
  if (reason !== undefined) throw invalidUpload(`${quoted(name)} ${reason}`);
  return path;
}

function problemOf(part: string): string | null {
  if (part === '..') return 'leads out of its folder';
  if (part === '' || part === '.') return 'has an empty part, or `.`, in the middle';
  // Invalid UTF-8 was decoded to U+FFFD, so the file would get another name.
  if (/[\0\ufffd]/.test(part)) return 'is not a valid name in UTF-8';
  if (Buffer.byteLength(part) > uploadLimits.partBytes) {
    return `has a part longer than ${uploadLimits.partBytes} bytes`;
  }
  return null;
}

/** Ensures that each path of a tree is a file or a folder, and occurs once. */
export class TreePaths {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #makeFolder: (path: string) => void;
  #count = 0;

  /** `makeFolder` is called once for each folder, outer ones first. */
  constructor(makeFolder: (path: string) => void) {
    this.#makeFolder = makeFolder;
  }

  /** Whether the file was added and is tracked. */
  hasFile(path: string): boolean {
    return this.#files.has(path);
  }

  /** Adds a file. Throws `upload_invalid` if its path is taken, and `payload_too_large`. */
  addFile(path: string): void {
    this.addUntracked(path);
    this.#files.add(path);
  }

  /** Adds a file without tracking it. No later path may equal it or lie below it. */
  addUntracked(path: string): void {
    if (this.#files.has(path)) throw invalidUpload(`${quoted(path)} occurs twice`);
    if (path === '' || this.#folders.has(path)) throw clash(path);
    if (this.#count >= uploadLimits.members) throw tooMany('files');
    const slash = path.lastIndexOf('/');
    if (slash > 0) this.#addFolder(path.slice(0, slash));
    this.#count++;
  }

  #addFolder(path: string): void {
    const missing: string[] = [];
    for (let at = path; at !== '' && !this.#folders.has(at); at = parentOf(at)) {
      if (this.#files.has(at)) throw clash(at);
      missing.push(at);
    }
    if (this.#folders.size + missing.length > uploadLimits.members) throw tooMany('folders');
    for (const at of missing.reverse()) {
      this.#makeFolder(at);
      this.#folders.add(at);
    }
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function clash(path: string): Error {
  return invalidUpload(`${quoted(path)} is both a file and a folder`);
}

function tooMany(what: string): Error {
  return uploadTooLarge(`There are more than ${uploadLimits.members} ${what}`);
}
