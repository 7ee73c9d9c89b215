import type { Attachment, Comment, Page, Space } from './world.js';

const author = '5b-ann';

function iso(time: number): string {
  return new Date(time).toISOString();
}

function versionForm(number: number, time: number): unknown {
  return { createdAt: iso(time), message: '', number, minorEdit: false, authorId: author };
}

/** A body exists only on request. */
function bodyForm(format: string | null, value: string): object {
  return format === 'storage' ? { body: { storage: { representation: 'storage', value } } } : {};
}

export function spaceForm({ id, key, name }: Space): unknown {
  return {
    id: String(id),
    key,
    name,
    type: 'global',
    status: 'current',
    authorId: author,
    createdAt: iso(0),
    homepageId: null,
    description: null,
    icon: null,
    _links: { webui: `/spaces/${key}` },
  };
}

export function pageForm(page: Page, space: Space, format: string | null): unknown {
  const { id, title, parent, status } = page;
  return {
    id: String(id),
    status,
    title,
    spaceId: String(space.id),
    parentId: parent === null ? null : String(parent),
    parentType: parent === null ? null : 'page',
    position: 10,
    authorId: author,
    ownerId: author,
    lastOwnerId: null,
    createdAt: iso(page.createdAt),
    version: versionForm(page.version, page.modifiedAt),
    ...bodyForm(format, page.body),
    _links: {
      webui: `/spaces/${space.key}/pages/${id}/${encodeURIComponent(title).replaceAll('%20', '+')}`,
      editui: `/pages/resumedraft.action?draftId=${id}`,
      tinyui: `/x/${id.toString(36)}`,
    },
  };
}

export function commentForm(comment: Comment, title: string, format: string | null): unknown {
  const { id, page, parent, kind } = comment;
  return {
    id: String(id),
    status: 'current',
    title: `Re: ${title}`,
    pageId: String(page),
    ...(parent === null ? {} : { parentCommentId: String(parent) }),
    version: versionForm(comment.version, comment.modifiedAt),
    ...bodyForm(format, comment.body),
    ...(kind === 'inline' ? { resolutionStatus: 'open' } : {}),
    _links: { webui: `/spaces/TRV/pages/${page}?focusedCommentId=${id}` },
  };
}

export function attachmentForm(attachment: Attachment): unknown {
  const { id, page, title, mediaType, bytes, version, modifiedAt } = attachment;
  const download = `/download/attachments/${page}/${encodeURIComponent(title)}?version=${version}`;
  return {
    id: `att${id}`,
    status: 'current',
    title,
    createdAt: iso(modifiedAt),
    pageId: String(page),
    mediaType,
    mediaTypeDescription: null,
    comment: null,
    fileId: `file-${id}`,
    fileSize: Buffer.byteLength(bytes),
    webuiLink: `/pages/viewpageattachments.action?pageId=${page}`,
    downloadLink: download,
    version: versionForm(version, modifiedAt),
    _links: { webui: `/pages/viewpageattachments.action?pageId=${page}`, download },
  };
}

export function userForm(): unknown {
  return {
    type: 'known',
    accountId: author,
    accountType: 'atlassian',
    email: '',
    publicName: 'Ann Archer',
    displayName: 'Ann Archer',
  };
}
