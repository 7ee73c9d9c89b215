import { lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as immediate } from 'node:timers/promises';

import { localFiles, explainLeftOut } from '@trove/connector-file/local';

import type { Cli } from '../session/cli.js';

/** Metadata of a file, without its content. */
export interface LocalFile {
  /** Relative to the folder, `/`-separated. */
  readonly path: string;
  /** Absolute path on this machine. */
  readonly absolutePath: string;
  readonly size: number;
  readonly mtimeNs: string;
  readonly inode: string;
}

/** The files of a folder to upload. */
export interface FileListing {
  readonly files: readonly LocalFile[];
  /** Files that are not uploaded, by reason. */
  readonly leftOut: ReadonlyMap<string, readonly string[]>;
  /** Unreadable folders, with the reason. */
  readonly unreadableFolders: readonly string[];
}

/** Servers with default settings do not index larger files. */
const maxFileBytes = 64 * 1024 * 1024;
const maxPathBytes = 1024;
const sliceMs = 50;

/** Lists a folder as a server on this machine would index it. Throws the errors of the file connector. */
export async function listFiles(folder: string, cli: Cli): Promise<FileListing> {
  const entries = localFiles(folder, [realOf(cli.home)]);
  const files: LocalFile[] = [];
  const leftOut = new Map<string, string[]>();
  const leaveOut = (path: string, reason: string): void => {
    leftOut.set(reason, [...(leftOut.get(reason) ?? []), path]);
  };
  let turn = performance.now();
  for (const each of entries) {
    if ('skip' in each) {
      if (!each.skip.startsWith('a link: ')) leaveOut(each.path, each.skip);
      continue;
    }
    const file = fileAt(each.path, each.realPath);
    if (file === null) continue;
    const reason = reasonNotUploaded(file);
    if (reason === null) files.push(file);
    else leaveOut(file.path, reason);
    if (performance.now() - turn < sliceMs) continue;
    await immediate();
    turn = performance.now();
  }
  return { files, leftOut, unreadableFolders: entries.unreadable };
}

/** Returns why a path in a folder is not uploaded, or null if it is. Throws the errors of the file connector. */
export function findReasonNotUploaded(folder: string, path: string, cli: Cli): string | null {
  const leftOut = explainLeftOut(folder, path, [realOf(cli.home)]);
  if (leftOut !== null) return leftOut;
  const file = fileAt(path, join(folder, path));
  return file === null ? null : reasonNotUploaded(file);
}

/** Returns the current metadata of a file, or null if it is not a regular file. */
export function fileAt(path: string, absolutePath: string): LocalFile | null {
  const stats = lstatSync(absolutePath, { bigint: true, throwIfNoEntry: false });
  if (stats?.isFile() !== true) return null;
  const { size, mtimeNs, ino } = stats;
  const positive = mtimeNs > 0n ? mtimeNs : 0n;
  return {
    path,
    absolutePath,
    size: Number(size),
    mtimeNs: String(positive),
    inode: String(ino),
  };
}

function reasonNotUploaded({ path, size }: LocalFile): string | null {
  if (size > maxFileBytes) return 'larger than 64 MiB';
  return Buffer.byteLength(path) > maxPathBytes ? 'its path is longer than 1,024 bytes' : null;
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
