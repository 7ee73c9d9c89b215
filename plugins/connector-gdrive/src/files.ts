const googlePrefix = 'application/vnd.google-apps.';
export const folderType = `${googlePrefix}folder`;
const shortcutType = `${googlePrefix}shortcut`;

/** The members of a file that the connector uses. */
export const fileFields =
  'id,name,mimeType,parents,createdTime,modifiedTime,md5Checksum,size,trashed,webViewLink,owners(displayName),lastModifyingUser(displayName),capabilities(canDownload)';

/** A file as the service describes it. */
export interface DriveFile {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly parents?: readonly string[];
  readonly modifiedTime: string;
  readonly md5Checksum?: string;
  readonly trashed: boolean;
  readonly owners?: readonly DriveUser[];
  readonly lastModifyingUser?: DriveUser;
  readonly capabilities?: { readonly canDownload?: boolean };
}

interface DriveUser {
  readonly displayName?: string;
}

/** How documents of Google's editors are exported. */
export const exports = {
  [`${googlePrefix}document`]: exportAs('text/markdown', '.md'),
  [`${googlePrefix}spreadsheet`]: exportAs(
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    '.xlsx',
  ),
  [`${googlePrefix}presentation`]: exportAs(
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    '.pptx',
  ),
  [`${googlePrefix}drawing`]: exportAs('application/pdf', '.pdf'),
};

function exportAs(mediaType: string, extension: string) {
  return {
    get: '/drive/v3/files/{id}/export',
    query: { mimeType: mediaType },
    mediaType,
    extension,
  };
}

/** A file that somebody shared has no parent, or one that the user cannot see. Both belong to the unknown folders. */
export function parentOf({ parents }: Pick<DriveFile, 'parents'>): string {
  return parents?.[0] ?? 'shared';
}

/** Files in shared drives have no owner. */
export function authorOf({ owners, lastModifyingUser }: DriveFile): string | undefined {
  return owners?.[0]?.displayName ?? lastModifyingUser?.displayName;
}

/** Uploads may have any time, so the checksum counts. Documents of Google's editors have none. */
export function fingerprintOf({ md5Checksum, modifiedTime }: DriveFile): string {
  return md5Checksum ?? modifiedTime;
}

/** Returns the reason for not indexing a file, or ''. */
export function skipReason({ mimeType, capabilities }: DriveFile): string {
  if (mimeType === shortcutType)
    return 'A shortcut. Its target is indexed at its own place, if that belongs to the source.';
  if (mimeType.startsWith(googlePrefix) && !Object.hasOwn(exports, mimeType))
    return `Google Drive exports no ${mimeType.slice(googlePrefix.length)}.`;
  return capabilities?.canDownload === false ? 'The owner does not allow downloads.' : '';
}
