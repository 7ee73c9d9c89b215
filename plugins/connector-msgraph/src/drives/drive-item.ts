import type { Entry } from '@trove/core';

/** The members of an item that the connector uses. */
export const itemFields =
  'id,name,size,eTag,cTag,createdBy,lastModifiedBy,lastModifiedDateTime,webUrl,parentReference,file,folder,package,remoteItem,malware,root,deleted';

/** A file or folder as the service describes it. A deleted one may have no more than its id. */
export interface DriveItem {
  readonly id: string;
  readonly name?: string;
  readonly size?: number;
  readonly eTag?: string;
  readonly cTag?: string;
  readonly createdBy?: Author;
  readonly lastModifiedBy?: Author;
  readonly lastModifiedDateTime?: string;
  readonly webUrl?: string;
  readonly parentReference?: { readonly id?: string };
  readonly file?: {
    readonly mimeType?: string;
    readonly hashes?: Readonly<Record<string, string | undefined>>;
  };
  readonly folder?: unknown;
  readonly package?: { readonly type?: string };
  readonly remoteItem?: unknown;
  readonly malware?: unknown;
  readonly root?: unknown;
  readonly deleted?: unknown;
}

interface Author {
  readonly user?: { readonly displayName?: string | null };
}

/** Returns the items of an answer. Null: the answer has no list, or one without usable items. */
export function itemsIn(body: unknown): readonly DriveItem[] | null {
  const { value }: { readonly value?: unknown } = Object(body);
  const items = Array.isArray(value) ? value.filter(isItem) : null;
  return items?.length === 0 && Object(value).length > 0 ? null : items;
}

export function isItem(value: unknown): value is DriveItem {
  return (
    typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
  );
}

export function isFolder({ folder, root, remoteItem }: DriveItem): boolean {
  return (folder !== undefined || root !== undefined) && remoteItem === undefined;
}

/** Returns the entry of a file. */
export function entryOf(item: DriveItem, path: string, identity: string): Entry {
  const { name, size, file, webUrl } = item;
  const modifiedAt = Date.parse(item.lastModifiedDateTime ?? '');
  const author = item.createdBy?.user?.displayName ?? item.lastModifiedBy?.user?.displayName;
  const skip = skipReason(item);
  return {
    path,
    size: file === undefined ? null : (size ?? null),
    modifiedAt: Number.isNaN(modifiedAt) ? null : modifiedAt,
    fingerprint: fingerprintOf(item),
    identity,
    ...(file?.mimeType === undefined ? {} : { mediaType: file.mimeType }),
    ...(name === undefined ? {} : { title: name }),
    ...(webUrl === undefined ? {} : { url: webUrl }),
    ...(typeof author === 'string' ? { author } : {}),
    ...(skip === null ? {} : { skip }),
  };
}

/** Some drives compute no hash, and some answers have no content tag. */
function fingerprintOf({ file, cTag, eTag, lastModifiedDateTime }: DriveItem): string | null {
  const { quickXorHash, sha1Hash, sha256Hash } = file?.hashes ?? {};
  return quickXorHash ?? sha1Hash ?? sha256Hash ?? cTag ?? eTag ?? lastModifiedDateTime ?? null;
}

function skipReason({ file, package: bundle, remoteItem, malware }: DriveItem): string | null {
  if (remoteItem !== undefined)
    return 'A shortcut to another drive. Add a source for that drive to index its files.';
  if (malware !== undefined) return 'Microsoft has found malware in the file.';
  if (file !== undefined) return null;
  return bundle?.type === 'oneNote'
    ? 'A OneNote notebook, for which Microsoft Graph returns no file.'
    : 'Microsoft Graph returns no file for this item.';
}
