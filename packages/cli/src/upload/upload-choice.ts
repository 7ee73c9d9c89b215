import { statSync } from 'node:fs';

import type { AddRequest, AddResponse } from '@trove/client';

import { findRegisteredSource } from '../commands/registered-source.js';
import { UsageError } from '@trove/commands';
import { followJob } from '../jobs/follow.js';
import { encode, addUploadedFolder } from '../paths/uploaded-folders.js';
import { localPathOf } from '../paths/large-target.js';
import type { Cli } from '../session/cli.js';
import { clientId, isRemote } from './machine.js';
import { uploadFolder, type UploadOptions } from './upload.js';

export interface UploadFlags {
  /** `--upload` or `--no-upload`. Undefined sends files if the server has them already or runs on another machine. */
  readonly upload: boolean | undefined;
  readonly force: boolean;
  readonly full: boolean;
}

export interface PlannedUpload extends UploadOptions {
  readonly uri: string;
}

/**
 * Decides how to upload a target. Returns null if the server reads it itself. Throws a UsageError for targets that
 * cannot be uploaded.
 */
export async function chooseUpload(
  cli: Cli,
  target: string,
  { upload: isUpload, force, full }: UploadFlags,
): Promise<PlannedUpload | null> {
  if (isUpload === false && force)
    throw new UsageError('--no-upload and --force-upload cannot be combined');
  const isRequested = isUpload === true || force;
  const folder = localPathOf(target);
  if (isUpload === false || folder === null) {
    if (!isRequested) return null;
    throw new UsageError('--upload needs a local folder, not a URI');
  }
  const kind = kindOf(folder);
  if (kind !== 'folder') {
    if (!isRequested) return null;
    throw new UsageError(
      kind === null
        ? `there is no folder ${folder}`
        : `${folder} is a file, but only folders can be uploaded`,
      kind === null ? [] : ['Upload the folder that contains it.'],
    );
  }
  if (!isRequested && !(await isUploaded(cli, folder)) && !(await isRemote(cli))) return null;
  const id = await clientId(cli);
  return {
    clientId: id,
    folder,
    force,
    full,
    uri: `file://${id}${folder === '/' ? '' : encode(folder)}`,
  };
}

/** Tests if the folder is a registered upload on the server. */
async function isUploaded(cli: Cli, folder: string): Promise<boolean> {
  const uploaded = cli.uploadedFolders.find((each) => each.folder === folder);
  return uploaded !== undefined && (await findRegisteredSource(uploaded.uri, cli)) !== undefined;
}

/** Uploads the files, then sets the configuration of the source. */
export async function uploadAndAdd(
  cli: Cli,
  upload: PlannedUpload,
  { config, since, update, schedule }: AddRequest,
  add: (body: { readonly update: boolean }) => Promise<AddResponse>,
): Promise<AddResponse> {
  if (since !== null && since !== undefined)
    throw new UsageError('--since cannot be combined with an upload');
  const isWatched = config?.['watch'] === true || schedule?.watch === true;
  if (isWatched || (schedule !== undefined && schedule !== null)) {
    throw new UsageError(
      `${isWatched ? '--watch' : 'A schedule'} cannot be combined with an upload, because the server does not see the files`,
      ['Omit it, and run the command again to upload changes.'],
    );
  }
  const hasConfig = config !== null && config !== undefined;
  const isNew = hasConfig && (await findRegisteredSource(upload.uri, cli)) === undefined;
  const { uri, answer } = await uploadFolder(cli, upload);
  addUploadedFolder(cli.home, { endpoint: cli.endpoint, folder: upload.folder, uri });
  if (!hasConfig) return answer;
  await followJob(cli, answer.job_id);
  return add({ update: isNew || update === true });
}

function kindOf(path: string): 'folder' | 'file' | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? null : stats.isDirectory() ? 'folder' : 'file';
}
