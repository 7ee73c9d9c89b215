import type { FakeAnswer, FakeRequest, ServiceModel } from '@trove/connector-kit/http/fake';
import { commentForm, compact, databaseForm, dataSourceForm, pageForm, userForm } from './forms.js';
import { listPage } from './paging.js';
import { invalid, notFound, problem, requestId } from './problems.js';
import { oldVersion, queryAnswer, searchAnswer } from './search.js';
import type { Capability, NotionWorld } from './world.js';

const versions = new Set([oldVersion, '2025-09-03', '2026-03-11']);

/** What the service answers about a workspace. */
export function notionModel(world: NotionWorld): ServiceModel {
  return {
    unauthorized: () => problem(401, 'unauthorized', 'API token is invalid.'),
    rateLimited: (_request, retryAfterMs) =>
      problem(
        429,
        'rate_limited',
        'You have been rate limited. Please try again in a few minutes.',
        {
          headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) },
        },
      ),
    answer: (request) =>
      refusal(world, request) ?? withRequestId(answerOf(world, request) ?? unknownUrl()),
  };
}

/** Refuses a request without a valid token or version. */
function refusal(world: NotionWorld, { headers }: FakeRequest): FakeAnswer | null {
  const [, token = ''] = /^bearer (.+)$/i.exec(headers['authorization'] ?? '') ?? [];
  if (!world.tokens.has(token)) return problem(401, 'unauthorized', 'API token is invalid.');
  const version = headers['notion-version'];
  if (version === undefined)
    return problem(
      400,
      'missing_version',
      'Notion-Version header failed validation: Notion-Version header should be defined, instead was `undefined`.',
    );
  return versions.has(version)
    ? null
    : invalid(`Notion-Version header failed validation: "${version}" is not a valid version.`);
}

function unknownUrl(): FakeAnswer {
  return problem(400, 'invalid_request_url', 'Invalid request URL.');
}

type Answerer = (world: NotionWorld, request: FakeRequest, id: string) => FakeAnswer;

const operations: readonly (readonly [string, RegExp, Capability | null, Answerer])[] = [
  ['POST', /^\/v1\/search$/, 'content', searchAnswer],
  ['GET', /^\/v1\/pages\/([^/]+)$/, 'content', pageAnswer],
  ['GET', /^\/v1\/pages\/([^/]+)\/markdown$/, 'content', markdownAnswer],
  ['GET', /^\/v1\/databases\/([^/]+)$/, 'content', databaseAnswer],
  ['GET', /^\/v1\/data_sources\/([^/]+)$/, 'content', dataSourceAnswer],
  ['POST', /^\/v1\/data_sources\/([^/]+)\/query$/, 'content', rowsAnswer],
  ['GET', /^\/v1\/comments$/, 'comments', commentsAnswer],
  ['GET', /^\/v1\/users$/, 'users', usersAnswer],
  ['GET', /^\/v1\/users\/me$/, null, (world) => userAnswer(world, world.botId)],
  ['GET', /^\/v1\/users\/([^/]+)$/, 'users', (world, _request, id) => userAnswer(world, id)],
];

function answerOf(world: NotionWorld, request: FakeRequest): FakeAnswer | null {
  const isOld = request.headers['notion-version'] === oldVersion;
  if (isOld && request.path.startsWith('/v1/data_sources')) return null;
  for (const [method, path, capability, answer] of operations) {
    const match = path.exec(request.path);
    if (match === null || method !== request.method) continue;
    if (capability !== null && !world.capabilities.has(capability))
      return problem(403, 'restricted_resource', 'Insufficient permissions for this endpoint.');
    return answer(world, request, dashed(match[1] ?? ''));
  }
  return null;
}

function pageAnswer(world: NotionWorld, _request: FakeRequest, id: string): FakeAnswer {
  const page = world.pages.get(id);
  return page === undefined ? notFound(world, 'page', id) : { json: pageForm(world, page) };
}

/** Accepts a page, and a block that the answer for its page leaves out. */
function markdownAnswer(world: NotionWorld, _request: FakeRequest, id: string): FakeAnswer {
  const page = world.pages.get(id);
  const block = world.omittedBlocks.get(id);
  if (page === undefined && block === undefined) return notFound(world, 'page or block', id);
  const omitted = [...world.omittedBlocks].filter(([, { pageId }]) => pageId === id);
  const tags = omitted.map(
    ([blockId]) => `<unknown url="https://app.notion.com/p/${compact(id)}#${compact(blockId)}"/>`,
  );
  return {
    json: {
      object: 'page_markdown',
      id,
      markdown: [page?.markdown ?? block?.markdown ?? '', ...tags].join('\n'),
      truncated: omitted.length > 0,
      unknown_block_ids: omitted.map(([blockId]) => blockId),
    },
  };
}

function databaseAnswer(world: NotionWorld, _request: FakeRequest, id: string): FakeAnswer {
  const source = [...world.dataSources.values()].find(({ databaseId }) => databaseId === id);
  return source === undefined
    ? notFound(world, 'database', id)
    : { json: databaseForm(world, source) };
}

function dataSourceAnswer(world: NotionWorld, _request: FakeRequest, id: string): FakeAnswer {
  const source = world.dataSources.get(id);
  return source === undefined
    ? notFound(world, 'data source', id)
    : { json: dataSourceForm(world, source) };
}

function rowsAnswer(world: NotionWorld, request: FakeRequest, id: string): FakeAnswer {
  const source = world.dataSources.get(id);
  return source === undefined
    ? notFound(world, 'data source', id)
    : queryAnswer(world, source, request);
}

function commentsAnswer(world: NotionWorld, { query }: FakeRequest): FakeAnswer {
  const id = query.get('block_id');
  if (id === null)
    return invalid(
      'block_id failed validation: block_id should be defined, instead was `undefined`.',
    );
  if (!world.pages.has(id)) return notFound(world, 'block', id);
  const comments = [...world.comments.values()].filter(({ pageId }) => pageId === id);
  return listPage(
    { cursor: query.get('start_cursor'), size: query.get('page_size') },
    comments,
    (comment) => commentForm(world, comment),
    { type: 'comment' },
  );
}

function usersAnswer(world: NotionWorld, { query }: FakeRequest): FakeAnswer {
  return listPage(
    { cursor: query.get('start_cursor'), size: query.get('page_size') },
    [...world.users.values()],
    userForm,
    { type: 'user' },
  );
}

function userAnswer(world: NotionWorld, id: string): FakeAnswer {
  const user = world.users.get(id);
  return user === undefined ? notFound(world, 'user', id) : { json: userForm(user) };
}

function withRequestId({ json, ...answer }: FakeAnswer): FakeAnswer {
  return { ...answer, json: { ...Object(json), request_id: requestId } };
}

/** Ids in paths may lack their dashes. */
function dashed(id: string): string {
  return id.replace(/^(\w{8})(\w{4})(\w{4})(\w{4})(\w{12})$/, '$1-$2-$3-$4-$5');
}
