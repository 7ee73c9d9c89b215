import { chmod, copyFile, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { silentLogger, TroveError, type Logger } from '@trove/core';
import { createAbortController, PluginRegistry, resolveConfig } from '@trove/runtime';
import { engineOptions } from '../engine-options.js';
import type { ResolvedSettings } from '../settings/resolve.js';
import { isBucket, readFromBucket } from './bucket-backup.js';
import { copyTree, totalsOf, type FileTotals } from './copy-tree.js';
import {
  homeFiles,
  homeFolders,
  indexName,
  manifestName,
  metadataName,
  readManifest,
  settingsName,
  uploadsName,
  type BackupManifest,
} from './manifest.js';

export interface RestoreOptions {
  /** Absolute path of the backup, or its folder in a bucket: `s3://bucket/folder`. */
  readonly from: string;
  readonly settings: ResolvedSettings;
  /** The file of the settings. Replaces the `server.toml` in the backup, which may name places of the original server. */
  readonly settingsFile?: string | undefined;
  /**
   * Whether the tokens of the backup stay valid, including tokens that were revoked since. Default false: all of them are
   * revoked.
   */
  readonly keepTokens?: boolean;
  /** Modules from which plugin packages are resolved. */
  readonly appRoots?: readonly string[];
  readonly logger?: Logger;
}

/** The restored files. */
export interface RestoreResult extends FileTotals {
  readonly createdAt: string;
  /** Whether syncs must build the index again. */
  readonly lacksIndex: boolean;
  /** The names of the revoked tokens. */
  readonly revokedTokens: readonly string[];
}

const suffix = '.restoring';

/**
 * Restores a backup into the home and the places that the settings name. All of them must be empty or missing. The home
 * appears as a whole at the end, so a killed restore can be repeated.
 */
export function restoreBackup(options: RestoreOptions): Promise<RestoreResult> {
  const { from, settings } = options;
  return withBackup(from, settings.home, (folder) => restoreFolder({ ...options, from: folder }));
}

/** Passes the folder of a backup to `use`. Reads one from a bucket into a folder beside the home, which must be empty. */
export async function withBackup<T>(
  from: string,
  home: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  if (!isBucket(from)) return use(from);
  await assertEmpty(home);
  const folder = `${home}.download`;
  await rm(folder, { recursive: true, force: true });
  try {
    await readFromBucket(from, folder, createAbortController().signal);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function restoreFolder(options: RestoreOptions): Promise<RestoreResult> {
  const { from, settings } = options;
  const manifest = await readManifest(from);
  await assertWhole(from, manifest);
  assertSameBackend(manifest, settings);
  const { home } = settings;
  await assertEmpty(home);
  const staging = `${home}${suffix}`;
  await rm(staging, { recursive: true, force: true });
  let revokedTokens: readonly string[];
  try {
    revokedTokens = await fillHome(options, manifest, staging);
    await rmdir(home).catch(() => undefined);
    await rename(staging, home);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
  const { createdAt, files, bytes } = manifest;
  const lacksIndex = !manifest.hasIndex || !isAbsolute(settings.index.uri);
  return { createdAt, files, bytes, lacksIndex, revokedTokens };
}

/** Restores into `staging` in place of the home, and into the places outside the home. Returns the revoked tokens. */
async function fillHome(
  { from, settings, settingsFile, ...options }: RestoreOptions,
  manifest: BackupManifest,
  staging: string,
): Promise<readonly string[]> {
  const { home } = settings;
  await mkdir(staging, { recursive: true, mode: 0o700 });
  const { signal } = createAbortController();
  for (const name of [...homeFiles, ...homeFolders])
    await copyTree(join(from, name), join(staging, name), signal);
  if (settingsFile !== undefined) await replaceSettings(settingsFile, staging);
  const toStaging = (path: string): string =>
    path.startsWith(home + sep) ? join(staging, relative(home, path)) : path;
  await placeFolder(join(from, uploadsName), toStaging(settings.uploads.path), signal);
  if (manifest.hasIndex && isAbsolute(settings.index.uri))
    await placeFolder(join(from, indexName), toStaging(settings.index.uri), signal);
  return restoreMetadata({ from, settings, ...options }, toStaging(settings.metadata.path));
}

async function replaceSettings(file: string, home: string): Promise<void> {
  const target = join(home, settingsName);
  await copyFile(file, target);
  await chmod(target, 0o600);
}

async function assertWhole(from: string, manifest: BackupManifest): Promise<void> {
  const [{ files, bytes }, own] = await Promise.all([
    totalsOf(from),
    stat(join(from, manifestName)),
  ]);
  const found = { files: files - 1, bytes: bytes - own.size };
  if (found.files === manifest.files && found.bytes === manifest.bytes) return;
  throw new TroveError(
    'storage_unavailable',
    `${from} is damaged: it has ${found.files} files with ${found.bytes} bytes, not ${manifest.files} with ${manifest.bytes}`,
    { suggestions: ['Restore another backup.'] },
  );
}

function assertSameBackend({ metadata }: BackupManifest, settings: ResolvedSettings): void {
  const { backend } = settings.metadata;
  if (backend === metadata) return;
  throw new TroveError(
    'config_invalid',
    `metadata.backend: is ${backend}, but the backup is from ${metadata}`,
    { suggestions: [`Set \`backend = "${metadata}"\` in [metadata] of server.toml.`] },
  );
}

async function assertEmpty(path: string): Promise<void> {
  const entries = await readdir(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  if (entries.length === 0) return;
  throw new TroveError('storage_unavailable', `${path} is not empty: it has ${entries[0]}`, {
    suggestions: ['Restore into a new home: set TROVE_HOME to a missing or empty folder.'],
  });
}

async function placeFolder(from: string, to: string, signal: AbortSignal): Promise<void> {
  const entries = await readdir(from).catch(() => null);
  if (entries === null) return;
  await assertEmpty(to);
  const staging = `${to}${suffix}`;
  await rm(staging, { recursive: true, force: true });
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyTree(from, staging, signal);
  await rmdir(to).catch(() => undefined);
  await rename(staging, to);
}

/** Returns the names of the revoked tokens. */
async function restoreMetadata(
  { from, settings, keepTokens = false, appRoots, logger = silentLogger }: RestoreOptions,
  path: string,
): Promise<readonly string[]> {
  const { backend } = settings.metadata;
  const options = engineOptions({ ...settings, metadata: { ...settings.metadata, path } });
  const registry = new PluginRegistry({
    ...options,
    ...(appRoots === undefined ? {} : { appRoots }),
  });
  const plugin = await registry.get('metadata-store', backend);
  if (plugin.restore === undefined)
    throw new TroveError('not_supported', `The metadata store ${backend} restores no snapshots`);
  const given = registry.configOf('metadata-store', backend, options.metadata.config);
  const { config } = await resolveConfig(plugin.configSchema, given, `metadata-store ${backend}`);
  return plugin.restore({ backend, config, logger }, join(from, metadataName), { keepTokens });
}
