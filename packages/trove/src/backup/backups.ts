import { readdir } from 'node:fs/promises';
import { isAbsolute, resolve, sep } from 'node:path';
import {
  describeError,
  formatUri,
  isTroveError,
  relativePath,
  TroveError,
  type Logger,
} from '@trove/core';
import { backupRequestSchema, type BackupRequest, type BackupResponse } from '@trove/engine/api';
import { acceptRequest, anySignal, createAbortController } from '@trove/runtime';
import { assertEmptyBucket, isBucket, writeToBucket } from './bucket-backup.js';
import { totalsOf, type FileTotals } from './copy-tree.js';
import { readManifest } from './manifest.js';
import { writeBackup, type BackupParts } from './write-backup.js';

/** Backs up the data of a server while it runs, one backup at a time. */
export interface Backups {
  /** Starts a backup. Throws `validation_error` for an unsuitable folder, and `backup_running`. */
  start(request: BackupRequest): Promise<BackupResponse>;
  /** Returns the state of the last backup. */
  state(): Promise<BackupResponse>;
}

export interface BackupOptions extends BackupParts {
  readonly logger: Logger;
  /** Folders of Trove. They must not contain a backup. */
  readonly ownPaths: readonly string[];
}

const none: BackupResponse = {
  status: 'none',
  to: null,
  started_at: null,
  finished_at: null,
  files: 0,
  bytes: 0,
  warnings: [],
  error: null,
  detail: null,
};

/** The backups of callers without the right `admin`. */
export const forbiddenBackups: Backups = { start: forbid, state: forbid };

async function forbid(): Promise<never> {
  throw new TroveError('forbidden', 'Backups need the right `admin`');
}

/** `close` aborts a running backup and waits for it. */
export function createBackups(options: BackupOptions): Backups & { close(): Promise<void> } {
  const { logger } = options;
  const controller = createAbortController();
  const { signal } = anySignal(options.signal, controller.signal);
  let last = none;
  let running: Promise<void> | null = null;

  async function write(folder: string): Promise<FileTotals & { warnings: string[] }> {
    const warnings = await writeBackup({ ...options, signal }, folder);
    const { files, bytes } = await readManifest(folder);
    return { warnings, files, bytes };
  }

  async function run(to: string): Promise<void> {
    const began = { ...none, to, started_at: last.started_at };
    try {
      const { warnings, ...totals } = isBucket(to)
        ? await writeToBucket(to, options.settings.home, signal, (folder) => write(folder))
        : await write(to);
      last = { ...began, ...totals, status: 'succeeded', warnings };
      logger.info('a backup was written', { to, files: last.files, bytes: last.bytes });
    } catch (error) {
      const code = isTroveError(error) ? error.publicCode : 'internal_error';
      const detail = describeError(error);
      logger.error('a backup failed', { to, error: detail });
      last = { ...began, ...(await totalsOf(to)), status: 'failed', error: code, detail };
    }
    last = { ...last, finished_at: new Date().toISOString() };
    running = null;
  }

  function assertOpen(): void {
    if (signal.aborted) throw new TroveError('engine_closed', 'The engine is closed');
  }

  return {
    async start(request) {
      assertOpen();
      const { to } = acceptRequest(backupRequestSchema, request);
      await assertSuitable(to, options);
      if (running !== null)
        throw new TroveError('backup_running', `A backup to ${last.to} is being written`);
      last = { ...none, status: 'running', to, started_at: new Date().toISOString() };
      running = run(to);
      return last;
    },
    async state() {
      assertOpen();
      if (last.status !== 'running' || last.to === null) return last;
      return { ...last, ...(await totalsOf(last.to)) };
    },
    async close() {
      controller.abort(new TroveError('engine_closed', 'The engine is closing'));
      await running;
    },
  };
}

async function assertSuitable(
  to: string,
  { ownPaths, store, signal }: BackupOptions,
): Promise<void> {
  if (isBucket(to)) return assertEmptyBucket(to, signal);
  const refuse = (reason: string): never => {
    throw new TroveError('validation_error', `to: ${reason}`, {
      suggestions: ['Name an empty folder outside all sources and outside the home.'],
    });
  };
  if (!isAbsolute(to)) refuse('must be an absolute path');
  const folder = resolve(to);
  if (ownPaths.some((path) => folder === path || folder.startsWith(path + sep)))
    refuse('must not be in a folder of Trove');
  const sources = await store.sources.list();
  const uri = formatUri({ scheme: 'file', authority: 'local', path: folder });
  const holder = sources.find(({ rootUri }) => relativePath(rootUri, uri) !== null);
  if (holder !== undefined)
    refuse(`must not be in the source ${holder.rootUri}, which would index it`);
  const entries = await readdir(to).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    return refuse('is not a folder that can be read');
  });
  if (entries.length > 0) refuse('is not empty');
}
