import { createHash, randomBytes } from 'node:crypto';
import { chmod, copyFile, link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { TroveError } from '@trove/core';
import type { IndexSnapshotOptions } from '@trove/core/index';

/** The clean-up of any process keeps the files of a version this long after it was current, less a margin. */
const maxTakingMs = 10_000;
const maxAttempts = 5;
const stagingPrefix = 'snapshot-';
/** No snapshot takes longer. */
const maxAgeMs = 24 * 60 * 60 * 1000;
const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 12);
const versions = '_versions';

/**
 * Copies the current versions of all tables in a folder. Files of tables never change, so hard links hold one moment until
 * they are copied, whatever other processes write and delete.
 */
export async function snapshotTables(
  folder: string,
  target: string,
  { signal, onTaken }: IndexSnapshotOptions,
): Promise<void> {
  await removeLeftovers(folder);
  const name = [host, process.pid, randomBytes(6).toString('hex')].join('-');
  const staging = join(folder, stagingPrefix + name);
  try {
    await takeTables(folder, staging, signal);
    await onTaken?.();
    await copyTree(staging, target, signal);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function takeTables(folder: string, staging: string, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    signal.throwIfAborted();
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { mode: 0o700 });
    const began = performance.now();
    const names = (await readdir(folder)).filter((name) => name.endsWith('.lance'));
    let isWhole = true;
    for (const name of names)
      isWhole = (await takeTable(join(folder, name), join(staging, name))) && isWhole;
    if (isWhole && performance.now() - began < maxTakingMs) return;
  }
  throw new TroveError('storage_unavailable', 'The index changes too fast for a snapshot', {
    suggestions: ['Try again when fewer jobs run.'],
  });
}

/** Returns false if a file of the current version may be missing. */
async function takeTable(table: string, staging: string): Promise<boolean> {
  // Taken first, so no version is newer than the files.
  const manifests = await readdir(join(table, versions)).catch(() => null);
  // Another process is creating or dropping the table.
  if (manifests === null) return true;
  await mkdir(join(staging, versions), { recursive: true, mode: 0o700 });
  let isWhole = true;
  for (const path of await filesBelow(table)) {
    if (path.startsWith(`${versions}/`)) continue;
    isWhole = (await take(join(table, path), join(staging, path))) && isWhole;
  }
  const taken = manifests.map((name) =>
    take(join(table, versions, name), join(staging, versions, name)),
  );
  await Promise.all(taken);
  // The newest manifest that was listed must still exist.
  const left = new Set(await readdir(join(table, versions)).catch(() => []));
  return isWhole && manifests.some((name) => left.has(name));
}

/** Links a file, or copies it where links are not possible. Returns false if it no longer exists. */
async function take(from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
  }
  try {
    await copyFile(from, to);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function copyTree(from: string, to: string, signal: AbortSignal): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    signal.throwIfAborted();
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target, signal);
    else {
      await copyFile(source, target);
      await chmod(target, 0o600);
    }
  }
}

/** Returns the paths of the files below a folder, relative to it. */
async function filesBelow(folder: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await filesBelow(folder, path)));
    else found.push(path);
  }
  return found;
}

/** Removes snapshots that killed processes left. A link takes no space until the index has deleted its file. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(stagingPrefix)) continue;
    const path = join(folder, name);
    if (await isLeftover(path, name)) await rm(path, { recursive: true, force: true });
  }
}

/** Processes of another machine or container are unknown, so their folders are kept for a day. */
async function isLeftover(path: string, name: string): Promise<boolean> {
  const [owner, pid] = name.slice(stagingPrefix.length).split('-');
  if (owner === host && !isRunning(Number(pid))) return true;
  const found = await stat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > maxAgeMs;
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
