import type { ManifestResponse } from '@trove/client';

import type { FileListing, LocalFile } from './files.js';

/** What is to be told to the server, and sent. */
export interface UploadPlan {
  /** Files whose bytes the server has: renamed ones, and those that only look changed. */
  readonly known: readonly LocalFile[];
  readonly renames: readonly {
    readonly old: string;
    readonly new: string;
    readonly sha1: string;
  }[];
  readonly deletions: readonly string[];
  /** Files whose bytes it needs. */
  readonly send: readonly LocalFile[];
}

/** Files that have no hash could not be read: they are left as the server has them. */
export function planUpload(
  { files, unread }: FileListing,
  { need_sha1, stored, deletion_candidates }: ManifestResponse,
  hashes: ReadonlyMap<string, string>,
): UploadPlan {
  const needed = new Set(need_sha1);
  const had = new Map(stored.map(({ path, sha1 }) => [path, sha1]));
  // What lies in a folder that could not be read is not gone.
  const gone = unread.length > 0 ? [] : deletion_candidates;
  const bySha1 = new Map<string, string[]>();
  for (const { path, sha1 } of gone) bySha1.set(sha1, [...(bySha1.get(sha1) ?? []), path]);
  const known: LocalFile[] = [];
  const renames: UploadPlan['renames'][number][] = [];
  const send: LocalFile[] = [];
  for (const file of files) {
    const sha1 = hashes.get(file.path);
    if (!needed.has(file.path) || sha1 === undefined) continue;
    const old = had.has(file.path) ? undefined : bySha1.get(sha1)?.pop();
    if (old !== undefined) renames.push({ old, new: file.path, sha1 });
    if (old !== undefined || had.get(file.path) === sha1) known.push(file);
    else send.push(file);
  }
  const renamed = new Set(renames.map(({ old }) => old));
  const deletions = gone.map(({ path }) => path).filter((path) => !renamed.has(path));
  return { known, renames, deletions, send };
}

const maxPartBytes = 512 * 1024 * 1024;
const maxPartFiles = 100_000;
/** What an archive has for a file besides its bytes: nearly nothing is as large as nothing, if there is enough of it. */
const bytesPerFile = 1024;

const noChanges = { known: [], renames: [], deletions: [] };

/** Parts of a plan that a server takes as one, of about the same size; the first has everything that is not sent. */
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
 * The same in smaller parts, of which the first was too large for a server: what it takes is known to nobody else. Null if
 * that cannot be any smaller.
 */
export function splitFurther([first, ...later]: readonly UploadPlan[]): UploadPlan[] | null {
  if (first === undefined || first.send.length < 2) return null;
  const half = weightOf(first.send) / 2;
  return [first, ...later].flatMap((part) => splitPlan(part, half));
}

function weightOf(files: readonly LocalFile[]): number {
  return files.reduce((sum, { size }) => sum + size + bytesPerFile, 0);
}
