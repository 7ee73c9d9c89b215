import { type AddResponse, type ManifestResponse, TroveApiError } from '@trove/client';

import { findRegisteredSource } from '../commands/registered-source.js';
import { CommandError } from '@trove/commands';
import { retryAfterRunningSync } from '../jobs/running-sync.js';
import { followJob } from '../jobs/follow.js';
import type { Cli } from '../session/cli.js';
import { withNotice } from '../terminal/notice.js';
import { formatSize, plural } from '../terminal/numbers.js';
import { BrokenBundleError, createBundle } from './bundle.js';
import { type FileListing, listFiles, type LocalFile } from './files.js';
import { splitPlan, type UploadPlan, planUpload, splitFurther } from './plan.js';
import { ByteProgress } from './progress.js';
import { hashFiles, isUnchanged } from './file-reader.js';

/** Maximum number of passes over files that keep changing. */
const maxPasses = 3;

export interface UploadOptions {
  readonly clientId: string;
  /** Absolute path of the folder. */
  readonly folder: string;
  readonly full: boolean;
  /** Send all files, including unchanged ones. */
  readonly force: boolean;
}

/** The result of an upload. Its last job may still be running. */
export interface UploadResult {
  readonly uri: string;
  readonly answer: AddResponse;
}

/**
 * Uploads the files of a folder. The server first compares sizes and times, then hashes. Files that change meanwhile
 * are sent in another pass, or reported in the end.
 */
export async function uploadFolder(cli: Cli, options: UploadOptions): Promise<UploadResult> {
  const { folder } = options;
  for (let pass = 1; ; pass++) {
    const listing = await withNotice(cli, 'Listing files …', () => listFiles(folder, cli));
    if (pass === 1) await printLeftOut(cli, listing);
    const manifest = await requestManifest(cli, listing, options);
    const { need_sha1: needed, connector_uri: uri } = manifest;
    const neededPaths = new Set(needed);
    const { hashes, unreadable } = await hashNeeded(cli, listing, neededPaths);
    const plan = planUpload(listing, manifest, hashes);
    const sent = await sendPlan(cli, uri, plan, hashes, options);
    // An unchanged file that cannot be read will not become readable soon.
    const changed = [...unreadable.filter((file) => !isUnchanged(file)), ...sent.changed];
    if (changed.length === 0 || pass === maxPasses) {
      await printUnsent(cli, [...unreadable, ...sent.changed]);
      return { uri, answer: sent.answer };
    }
    await followJob(cli, sent.answer.job_id);
  }
}

function requestManifest(
  cli: Cli,
  { files }: FileListing,
  options: UploadOptions,
): Promise<ManifestResponse> {
  const { clientId: client_id, folder: root, force } = options;
  const rows = files.map(({ path, size, mtimeNs, inode }) => ({
    path,
    size,
    mtime_ns: mtimeNs,
    inode,
  }));
  return withNotice(cli, 'Comparing with the server …', async () => {
    const answer = await cli.client.ingest.filesManifest({
      body: { client_id, root, files: rows },
    });
    if (!force) return answer;
    return { ...answer, need_sha1: files.map(({ path }) => path), stored: [] };
  });
}

async function hashNeeded(cli: Cli, { files }: FileListing, neededPaths: ReadonlySet<string>) {
  const chosen = files.filter(({ path }) => neededPaths.has(path));
  const progress = new ByteProgress(cli, 'Comparing', sizeOf(chosen));
  const hashes = await hashFiles(chosen, (bytes) => progress.add(bytes));
  await progress.clear();
  return { hashes, unreadable: chosen.filter(({ path }) => !hashes.has(path)) };
}

/** Sends a plan in parts. Waits until a part is indexed before it sends the next. */
async function sendPlan(
  cli: Cli,
  uri: string,
  plan: UploadPlan,
  hashes: ReadonlyMap<string, string>,
  options: UploadOptions,
): Promise<{ readonly answer: AddResponse; readonly changed: readonly LocalFile[] }> {
  if (isEmptyPlan(plan) && (await findRegisteredSource(uri, cli)) !== undefined) {
    const body = { target: uri, full: options.full, process: false };
    const answer = await retryAfterRunningSync(cli, uri, () =>
      cli.client.ingest.addSource({ body }),
    );
    return { answer, changed: [] };
  }
  const changed: LocalFile[] = [];
  const total = sizeOf(plan.send);
  const progress = new ByteProgress(cli, `Sending ${plural(plan.send.length, 'file')}`, total);
  let parts = splitPlan(plan);
  let answer: AddResponse | null = null;
  for (let part = parts[0]; part !== undefined; part = parts[0]) {
    const full = options.full && parts.length === 1;
    const sending = { ...options, full };
    const sent = await retryAfterRunningSync(cli, uri, () =>
      catchTooLarge(() => sendPart(cli, part, hashes, sending, progress, changed)),
    );
    await progress.clear();
    if (sent instanceof TroveApiError) {
      const smaller = splitFurther(parts);
      if (smaller === null) throw tooLarge(part, sent, cli);
      parts = smaller;
      continue;
    }
    answer = sent;
    parts = parts.slice(1);
    if (parts.length > 0) await followJob(cli, answer.job_id);
  }
  if (answer === null) throw new Error('an upload has at least one part');
  if (!cli.json && total > 0) {
    await cli.err.line(`Sent ${plural(plan.send.length, 'file')}, ${formatSize(total)}.`);
  }
  return { answer, changed };
}

async function sendPart(
  cli: Cli,
  part: UploadPlan,
  hashes: ReadonlyMap<string, string>,
  { clientId: client_id, folder: root, full }: UploadOptions,
  progress: ByteProgress,
  changed: LocalFile[],
): Promise<AddResponse> {
  const excluded = new Set<string>();
  for (;;) {
    const rest = { ...part, send: part.send.filter(({ path }) => !excluded.has(path)) };
    const body = createBundle(rest, hashes, {
      onSent: (bytes) => progress.add(bytes),
      onLeftOut: (file) => void changed.push(file),
    });
    try {
      const contentType = 'application/x-tar';
      return await cli.client.ingest.filesUpload({
        client_id,
        root,
        full,
        process: false,
        contentType,
        body,
      });
    } catch (error) {
      if (!(error instanceof BrokenBundleError) || excluded.has(error.path)) throw error;
      excluded.add(error.path);
      changed.push(...part.send.filter(({ path }) => path === error.path));
    }
  }
}

/** Returns the server's answer, or its error if the part is too large. */
async function catchTooLarge(
  sending: () => Promise<AddResponse>,
): Promise<AddResponse | TroveApiError> {
  try {
    return await sending();
  } catch (error) {
    if (error instanceof TroveApiError && error.code === 'payload_too_large') return error;
    throw error;
  }
}

function tooLarge({ send: files }: UploadPlan, refusal: TroveApiError, cli: Cli): Error {
  const [file] = files;
  if (file === undefined) return refusal;
  const name = cli.err.safeName(file.path);
  return new CommandError(
    refusal.code,
    `${name} (${formatSize(file.size)}) is too large for the server: ${refusal.detail}`,
    [
      'Exclude it in a .troveignore file, or raise [uploads].max_bytes in server.toml of the server.',
    ],
  );
}

function isEmptyPlan({ known, renames, deletions, send: files }: UploadPlan): boolean {
  return known.length + renames.length + deletions.length + files.length === 0;
}

function sizeOf(files: readonly LocalFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

const maxShown = 5;

async function printLeftOut(cli: Cli, { leftOut, unreadableFolders }: FileListing): Promise<void> {
  if (cli.json) return;
  const { err } = cli;
  for (const [reason, paths] of [...leftOut].slice(0, maxShown)) {
    const [first = ''] = paths;
    const example = paths.length === 1 ? '' : `, such as ${err.safeName(first)}`;
    const subject = paths.length === 1 ? err.safeName(first) : plural(paths.length, 'file');
    await err.line(`Not uploaded: ${subject} (${reason})${example}`);
  }
  if (unreadableFolders.length === 0) return;
  const folders = unreadableFolders.slice(0, maxShown).map((each) => err.safeName(each));
  await err.line(`Could not read ${folders.join(', ')}. No files are deleted on the server.`);
}

async function printUnsent(cli: Cli, files: readonly LocalFile[]): Promise<void> {
  const names = [...new Set(files.map(({ path }) => path))];
  if (cli.json || names.length === 0) return;
  const shown = names.slice(0, maxShown).map((name) => cli.err.safeName(name));
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  await cli.err.line(
    `warning: unreadable or changed during the upload: ${shown.join(', ')}${more}. Run the command again to upload them.`,
  );
}
