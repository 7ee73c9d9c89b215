import { createHash } from 'node:crypto';
import type { DriveFile, DriveWorld } from './world.js';

type Json = Record<string, unknown>;

const owner = {
  kind: 'drive#user',
  displayName: 'Ann',
  me: true,
  permissionId: '1',
  emailAddress: 'ann@example.com',
};

export function userForm(): Json {
  return owner;
}

export function fileForm(world: DriveWorld, file: DriveFile): Json {
  const isOfGoogle = file.mimeType.startsWith('application/vnd.google-apps.');
  const { targetId } = file;
  return {
    kind: 'drive#file',
    id: file.id,
    name: file.name,
    mimeType: file.mimeType,
    ...(file.parent === null ? {} : { parents: [file.parent] }),
    createdTime: new Date(file.createdAt).toISOString(),
    modifiedTime: new Date(file.modifiedAt).toISOString(),
    trashed: world.isTrashed(file),
    explicitlyTrashed: file.trashed,
    webViewLink: `https://drive.google.com/file/d/${file.id}/view`,
    ...(file.driveId === null ? { owners: [owner] } : { driveId: file.driveId }),
    lastModifyingUser: owner,
    capabilities: { canDownload: file.canDownload },
    ...(isOfGoogle ? {} : contentForm(file.content)),
    ...(targetId === null
      ? {}
      : { shortcutDetails: { targetId, targetMimeType: world.files.get(targetId)?.mimeType } }),
  };
}

/** Sizes are texts. Documents of Google have none. */
function contentForm(content: string): Json {
  return {
    size: String(Buffer.byteLength(content)),
    md5Checksum: createHash('md5').update(content).digest('hex'),
  };
}
