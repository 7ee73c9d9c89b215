import type { ManifestResponse } from '@trove/client';

import type { FileListing, LocalFile } from './files.js';

/** The changes to report, and the files to send. */
export interface UploadPlan {
  /** Files whose content the server has, such as renamed and touched files. */
  readonly known: readonly LocalFile[];
  readonly renames: readonly {
    readonly old: string;
    readonly new: string;
    readonly sha1: string;
  }[];
  readonly deletions: readonly string[];
  /** Files whose content the server needs. */
  readonly send: readonly LocalFile[];
}

/** Plans an upload. Skips files without a hash, which could not be read. */
export function planUpload(
  { files, unreadableFolders }: FileListing,
  { need_sha1, stored, deletion_candidates }: ManifestResponse,
  hashes: ReadonlyMap<string, string>,
): UploadPlan {
  const needed = new Set(need_sha1);
  const storedHashes = new Map(stored.map(({ path, sha1 }) => [path, sha1]));
  // Files in an unreadable folder are not treated as deleted.
  const deleted = unreadableFolders.length > 0 ? [] : deletion_candidates;
  const bySha1 = new Map<string, string[]>();
  for (const { path, sha1 } of deleted) bySha1.set(sha1, [...(bySha1.get(sha1) ?? []), path]);
  const known: LocalFile[] = [];
  const renames: UploadPlan['renames'][number][] = [];
  const send: LocalFile[] = [];
  for (const file of files) {
    const sha1 = hashes.get(file.path);
    if (!needed.has(file.path) || sha1 === undefined) continue;
    const old = storedHashes.has(file.path) ? undefined : bySha1.get(sha1)?.pop();
    if (old !== undefined) renames.push({ old, new: file.path, sha1 });
    if (old !== undefined || storedHashes.get(file.path) === sha1) known.push(file);
    else send.push(file);
  }
  const renamed = new Set(renames.map(({ old }) => old));
  const deletions = deleted.map(({ path }) => path).filter((path) => !renamed.has(path));
  return { known, renames, deletions, send };
}

const maxPartBytes = 512 * 1024 * 1024;
const maxPartFiles = 100_000;
/** Size of the headers of a file in the bundle. It matters for many small files. */
const bytesPerFile = 1024;

const noChanges = { known: [], renames: [], deletions: [] };

/**
 * Splits a plan into parts of similar size that a server accepts. The first part contains all changes without content.
 */
export function splitPlan({ send, ...rest }: UploadPlan, maxBytes = maxPartBytes): UploadPlan[] {
  const total = weightOf(send);
  const even = total / Math.ceil(Math.max(total / maxBytes, send.length / maxPartFiles, 1));
  const parts: LocalFile[][] = [[]];
  let bytes = 0;
  for (const file of send) {
    const last = parts.at(-1);
    const weight = weightOf([file]);
    const isFull =
      bytes >= even || bytes + weight > maxBytes || (last?.length ?? 0) >= maxPartFiles;
    if (last === undefined || (isFull && last.length > 0)) {
      parts.push([file]);
      bytes = weight;
    } else {
      last.push(file);
      bytes += weight;
    }
  }
  return parts.map((files, at) => ({ ...(at === 0 ? rest : noChanges), send: files }));
}

/**
 * Splits a plan further after the server rejected its first part as too large. Returns null if the part has a single
 * file.
 */
export function splitFurther([first, ...later]: readonly UploadPlan[]): UploadPlan[] | null {
  if (first === undefined || first.send.length < 2) return null;
  const half = weightOf(first.send) / 2;
  return [first, ...later].flatMap((part) => splitPlan(part, half));
}

function weightOf(files: readonly LocalFile[]): number {
  return files.reduce((sum, { size }) => sum + size + bytesPerFile, 0);
}
