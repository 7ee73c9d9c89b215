import type { FakeAnswer, FakeRequest, ServiceModel } from '@trove/connector-kit/http/fake';
import { attachmentContent, commentContent, pageContent } from './contents.js';
import type { ConfluenceWorld } from './world.js';

interface Content {
  readonly id: number;
  readonly modifiedAt: number;
  readonly space: string;
  /** The answer with the expanded members only. */
  readonly form: Readonly<Record<string, unknown>>;
}

/** The time zone of the account, in which the search reads times. */
const zoneMs = -8 * 3_600_000;
const maxBodies = 50;
const maxItems = 200;

/** What a Data Center site below the context `/wiki` of its host answers to version 1 of the API. */
export function dataCenterModel(world: ConfluenceWorld): ServiceModel {
  return {
    rateLimited: (_request, retryAfterMs) => ({
      status: 429,
      headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) },
      json: { statusCode: 429, message: 'Rate limit exceeded' },
    }),
    unauthorized: refusal,
    answer(request) {
      const [, token = ''] = /^bearer (.+)$/i.exec(request.headers['authorization'] ?? '') ?? [];
      const answer = world.tokens.has(token) ? answerOf(world, request) : refusal();
      return { ...answer, headers: { date: new Date(world.now).toUTCString(), ...answer.headers } };
    },
  };
}

function refusal(): FakeAnswer {
  return problem(401, 'Client must be authenticated to access this resource.');
}

function problem(statusCode: number, message: string): FakeAnswer {
  return { status: statusCode, json: { statusCode, message, data: { authorized: false } } };
}

function answerOf(world: ConfluenceWorld, request: FakeRequest): FakeAnswer {
  const { query } = request;
  const path = request.path.replace(/^\/wiki/, '');
  if (path === '/rest/api/user/current')
    return { json: { type: 'known', username: 'ann', userKey: '4028', displayName: 'Ann Archer' } };
  const [, file] = /^\/download\/attachments\/\d+\/att(\d+)$/.exec(path) ?? [];
  if (file !== undefined) return download(world, Number(file));
  const expand = new Set((query.get('expand') ?? '').split(','));
  if (path === '/rest/api/content') return listing(world, request, expand);
  if (path === '/rest/api/content/search') return found(world, request, expand);
  const [, id] = /^\/rest\/api\/content\/(?:att)?(\d+)$/.exec(path) ?? [];
  const content = allContents(world, expand).find((each) => String(each.id) === id);
  if (content === undefined || content.form['status'] === 'trashed')
    return problem(404, `No content found with id: ContentId{id=${id ?? ''}}`);
  return { json: content.form };
}

function download(world: ConfluenceWorld, id: number): FakeAnswer {
  const attachment = world.attachments.get(id);
  if (attachment === undefined) return problem(404, 'Not found');
  return { headers: { 'content-type': attachment.mediaType }, body: attachment.bytes };
}

/** The pages of all spaces, from the database. */
function listing(
  world: ConfluenceWorld,
  request: FakeRequest,
  expand: ReadonlySet<string>,
): FakeAnswer {
  const status = request.query.get('status') ?? 'current';
  const contents = allContents(world, expand).filter(
    ({ form }) => form['type'] === 'page' && form['status'] === status,
  );
  return pageOf(request, contents, expand);
}

/** Answers a search. Its index misses the newest pages. */
function found(
  world: ConfluenceWorld,
  request: FakeRequest,
  expand: ReadonlySet<string>,
): FakeAnswer {
  const [, type, spaces, time] =
    /^type = (\w+)(?: and space in \(([^)]*)\))?(?: and lastmodified >= "([^"]+)")? order by created asc$/.exec(
      request.query.get('cql') ?? '',
    ) ?? [];
  if (type === undefined) return problem(400, 'Could not parse cql');
  const keys = spaces?.split(', ').map((key) => key.replaceAll('"', ''));
  const since = time === undefined ? 0 : Date.parse(`${time.replace(' ', 'T')}:00Z`) - zoneMs;
  const contents = allContents(world, expand).filter(
    ({ form, space, modifiedAt }) =>
      form['type'] === type &&
      form['status'] === 'current' &&
      (keys === undefined || keys.includes(space)) &&
      modifiedAt >= since,
  );
  return pageOf(request, contents, expand);
}

/** In the order of creation. */
function allContents(world: ConfluenceWorld, expand: ReadonlySet<string>): readonly Content[] {
  const inOrder = (a: Content, b: Content): number => a.id - b.id;
  const spaceOf = (page: number): string => world.pages.get(page)?.space ?? '';
  const isCurrent = ({ page }: { readonly page: number }): boolean =>
    world.pages.get(page)?.status === 'current';
  return [
    ...[...world.pages.values()]
      .filter(({ visibleAt }) => visibleAt <= world.now)
      .map((page) => ({ ...page, form: pageContent(page, expand) })),
    ...[...world.comments.values()].filter(isCurrent).map((comment) => ({
      ...comment,
      space: spaceOf(comment.page),
      form: commentContent(comment, world.page(comment.page), expand),
    })),
    ...[...world.attachments.values()].filter(isCurrent).map((attachment) => ({
      ...attachment,
      space: spaceOf(attachment.page),
      form: attachmentContent(attachment, world.page(attachment.page), expand),
    })),
  ].sort(inOrder);
}

/** A page of a listing. It may have fewer items than requested, but the link skips as many as were requested. */
function pageOf(
  { path, query, origin }: FakeRequest,
  contents: readonly Content[],
  expand: ReadonlySet<string>,
): FakeAnswer {
  const start = Number(query.get('start') ?? 0);
  const asked = Number(query.get('limit') ?? 25);
  const limit = Math.min(asked, expand.has('body.storage') ? maxBodies : maxItems);
  const results = contents.slice(start, start + limit).map(({ form }) => form);
  const next = new URLSearchParams(query);
  next.set('start', String(start + asked));
  const hasNext = start + limit < contents.length;
  return {
    json: {
      results,
      start,
      limit,
      size: results.length,
      _links: {
        base: `${origin}/wiki`,
        context: '/wiki',
        ...(hasNext ? { next: `${path.replace(/^\/wiki/, '')}?${next.toString()}` } : {}),
      },
    },
  };
}
