import type { FakeAnswer, FakeRequest, ServiceModel } from '@trove/connector-kit/http/fake';
import { attachmentForm, commentForm, pageForm, spaceForm, userForm } from './forms.js';
import type { ConfluenceWorld, Page } from './world.js';

const api = '/wiki/api/v2';

/** What the service answers. */
export function confluenceModel(world: ConfluenceWorld): ServiceModel {
  return {
    rateLimited: (_request, retryAfterMs) => ({
      status: 429,
      headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) },
      json: { code: 429, message: 'Rate limit exceeded' },
    }),
    unauthorized: refusal,
    answer(request) {
      const headers = { date: new Date(world.now).toUTCString() };
      if (!isLoggedIn(world, request) && !request.path.startsWith('/media/'))
        return world.allowsAnonymous ? anonymousAnswer(request) : refusal();
      const answer = answerOf(world, request);
      return { ...answer, headers: { ...headers, ...answer.headers } };
    },
  };
}

function isLoggedIn({ tokens }: ConfluenceWorld, { headers }: FakeRequest): boolean {
  const [, login = ''] = /^basic (.+)$/i.exec(headers['authorization'] ?? '') ?? [];
  const [user, token = ''] = Buffer.from(login, 'base64').toString().split(':');
  return user === 'ann@acme.example' && tokens.has(token);
}

function refusal(): FakeAnswer {
  const message = 'Current user not permitted to use Confluence';
  return { status: 403, json: { statusCode: 403, message } };
}

function anonymousAnswer({ path }: FakeRequest): FakeAnswer {
  if (path === '/wiki/rest/api/user/current')
    return { json: { type: 'anonymous', displayName: 'Anonymous' } };
  if (/^\/wiki\/api\/v2\/[a-z-]+$/.test(path))
    return { json: { results: [], _links: { base: 'https://example.atlassian.net/wiki' } } };
  return problem(404, 'NOT_FOUND', 'Not Found');
}

function problem(status: number, code: string, title: string): FakeAnswer {
  return { status, json: { errors: [{ status, code, title, detail: null }] } };
}

function answerOf(world: ConfluenceWorld, request: FakeRequest): FakeAnswer {
  const { path, query } = request;
  if (/^\/wiki\/rest\/api\/user(?:\/current)?$/.test(path)) return { json: userForm() };
  const [, download] =
    /^\/wiki\/rest\/api\/content\/\d+\/child\/attachment\/att(\d+)\/download$/.exec(path) ?? [];
  if (download !== undefined)
    return { status: 302, headers: { location: `${request.origin}/media/${download}` }, body: '' };
  const [, media] = /^\/media\/(\d+)$/.exec(path) ?? [];
  if (media !== undefined) return mediaAnswer(world, Number(media));
  const [, kind = '', id] = /^\/wiki\/api\/v2\/([a-z-]+)(?:\/(?:att)?(\d+))?$/.exec(path) ?? [];
  if (id !== undefined) return oneAnswer(world, kind, Number(id), query.get('body-format'));
  if (kind === 'attachments' && query.get('status')?.includes('deleted') === true)
    return problem(400, 'INVALID_REQUEST_PARAMETER', 'Attachments are never deleted');
  const items = listOf(world, kind, query);
  if (items === null) return problem(404, 'NOT_FOUND', `No resource at ${path}`);
  return pageOf(world, request, items);
}

function mediaAnswer(world: ConfluenceWorld, id: number): FakeAnswer {
  const attachment = world.attachments.get(id);
  if (attachment === undefined) return { status: 404, body: '' };
  return { headers: { 'content-type': attachment.mediaType }, body: attachment.bytes };
}

function oneAnswer(
  world: ConfluenceWorld,
  kind: string,
  id: number,
  format: string | null,
): FakeAnswer {
  const page = world.pages.get(id);
  if (kind === 'pages' && page !== undefined) return { json: formOf(world, page, format) };
  const attachment = world.attachments.get(id);
  if (kind === 'attachments' && attachment !== undefined)
    return { json: attachmentForm(attachment) };
  const comment = world.comments.get(id);
  if (comment !== undefined && kind === `${comment.kind}-comments`)
    return { json: commentForm(comment, world.page(comment.page).title, format) };
  return problem(404, 'NOT_FOUND', 'Not Found');
}

function formOf(world: ConfluenceWorld, page: Page, format: string | null): unknown {
  const space = world.spaces.get(page.space);
  return space === undefined ? null : pageForm(page, space, format);
}

/** The forms of all items of a listing, in its order. Null: there is no such listing. */
function listOf(world: ConfluenceWorld, kind: string, query: URLSearchParams): unknown[] | null {
  const format = query.get('body-format');
  const statuses = (query.get('status') ?? 'current,archived').split(',');
  const newestFirst = query.get('sort') === '-modified-date';
  const ordered = <T extends { readonly id: number; readonly modifiedAt: number }>(
    items: Iterable<T>,
  ): T[] =>
    newestFirst
      ? [...items].sort((a, b) => b.modifiedAt - a.modifiedAt || b.id - a.id)
      : [...items].sort((a, b) => a.id - b.id);
  switch (kind) {
    case 'spaces':
      return [...world.spaces.values()].map(spaceForm);
    case 'pages':
      return ordered(world.pages.values())
        .filter(({ status, visibleAt }) => statuses.includes(status) && visibleAt <= world.now)
        .map((page) => formOf(world, page, format));
    case 'footer-comments':
    case 'inline-comments':
      return ordered(world.comments.values())
        .filter((comment) => kind.startsWith(comment.kind) && isCurrent(world, comment.page))
        .map((comment) => commentForm(comment, world.page(comment.page).title, format));
    case 'attachments':
      return ordered(world.attachments.values())
        .filter(({ page }) => isCurrent(world, page))
        .map(attachmentForm);
    case 'blogposts':
      return [];
    default:
      return null;
  }
}

function isCurrent(world: ConfluenceWorld, page: number): boolean {
  return world.pages.get(page)?.status === 'current';
}

/** A page of a listing. The link to the next one is a path from the root of the site. */
function pageOf(
  world: ConfluenceWorld,
  { path, query, origin }: FakeRequest,
  items: unknown[],
): FakeAnswer {
  const limit = Math.min(Number(query.get('limit') ?? 25), world.maxItems);
  if (Number(query.get('limit') ?? 25) > 250)
    return problem(
      400,
      'INVALID_REQUEST_PARAMETER',
      "Provided value for 'limit' is not in the range 1-250",
    );
  if (limit > world.slowItems)
    return { status: 504, headers: { 'content-type': 'text/html' }, body: '<html>504</html>' };
  const cursor = query.get('cursor');
  const start = cursor === null ? 0 : Number(Buffer.from(cursor, 'base64url').toString());
  if (!Number.isSafeInteger(start))
    return problem(400, 'INVALID_REQUEST_PARAMETER', 'cursor is invalid');
  const end = start + limit;
  const next = new URLSearchParams(query);
  next.set('cursor', Buffer.from(String(end)).toString('base64url'));
  const links =
    end < items.length ? { next: `${api}${path.slice(api.length)}?${next.toString()}` } : {};
  return {
    headers: links.next === undefined ? {} : { link: `<${links.next}>; rel="next"` },
    json: { results: items.slice(start, end), _links: { ...links, base: `${origin}/wiki` } },
  };
}
