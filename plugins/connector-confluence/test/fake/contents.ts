import type { Attachment, Comment, Page } from './world.js';

type Json = Readonly<Record<string, unknown>>;
type Expanded = ReadonlySet<string>;

const author = { type: 'known', username: 'ann', userKey: '4028', displayName: 'Ann Archer' };

/** A page in the form of version 1 of the API, which has only the requested members. */
export function pageContent(page: Page, expand: Expanded): Json {
  const { id, title, space, status } = page;
  return {
    id: String(id),
    type: 'page',
    status,
    title,
    ...commonMembers(page, space, expand),
    ...(expand.has('history')
      ? { history: { latest: true, createdBy: author, createdDate: dateTime(page.createdAt) } }
      : {}),
    _links: { webui: `/display/${space}/${encodeURIComponent(title)}` },
  };
}

export function commentContent(comment: Comment, page: Page, expand: Expanded): Json {
  const { id, kind } = comment;
  return {
    id: String(id),
    type: 'comment',
    status: 'current',
    title: `Re: ${page.title}`,
    ...commonMembers(comment, page.space, expand),
    ...containerOf(page, expand),
    extensions: { location: kind },
    _links: { webui: `/display/${page.space}/${page.id}?focusedCommentId=${id}#comment-${id}` },
  };
}

export function attachmentContent(attachment: Attachment, page: Page, expand: Expanded): Json {
  const { id, title, mediaType, bytes } = attachment;
  return {
    id: `att${id}`,
    type: 'attachment',
    status: 'current',
    title,
    ...commonMembers({ ...attachment, body: '' }, page.space, expand),
    ...containerOf(page, expand),
    extensions: { mediaType, fileSize: Buffer.byteLength(bytes), comment: '' },
    _links: {
      webui: `/display/${page.space}/${page.id}?preview=%2F${page.id}%2F${id}`,
      download: `/download/attachments/${page.id}/att${id}?version=${attachment.version}&api=v2`,
    },
  };
}

function commonMembers(
  {
    version,
    modifiedAt,
    body,
  }: { readonly version: number; readonly modifiedAt: number; readonly body: string },
  space: string,
  expand: Expanded,
): Json {
  return {
    ...(expand.has('space') ? { space: { id: 1, key: space, name: space, type: 'global' } } : {}),
    ...(expand.has('version')
      ? {
          version: {
            by: author,
            when: dateTime(modifiedAt),
            message: '',
            number: version,
            minorEdit: false,
          },
        }
      : {}),
    ...(expand.has('body.storage')
      ? { body: { storage: { value: body, representation: 'storage' } } }
      : {}),
  };
}

function containerOf({ id, title }: Page, expand: Expanded): Json {
  if (!expand.has('container')) return {};
  return { container: { id: String(id), type: 'page', status: 'current', title } };
}

/** With the offset of the site. */
function dateTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '+00:00');
}
