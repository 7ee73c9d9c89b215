import type { FakeAnswer, FakeRequest, ServiceModel } from '@trove/connector-kit/http/fake';

import {
  chatForm,
  childrenOf,
  fileForm,
  messageForm,
  metaForm,
  nodeForm,
  spaceForm,
} from './forms.js';
import type { FeishuWorld } from './world.js';

const defaultPageSize = 20;

/** What the service answers for one app. */
export function feishuModel(world: FeishuWorld): ServiceModel {
  return {
    unauthorized: () => refused(world, 99991663, 'Invalid access token for authorization.'),
    rateLimited: (_request, retryAfterMs) => ({
      status: 400,
      headers: { 'x-ogw-ratelimit-reset': String(Math.ceil(retryAfterMs / 1000)) },
      json: { code: 99991400, msg: 'request trigger frequency limit' },
    }),
    answer: (request) => answerOf(world, request),
  };
}

function answerOf(world: FeishuWorld, request: FakeRequest): FakeAnswer {
  const path = request.path.replace(/^\/open-apis/, '');
  if (path === '/auth/v3/tenant_access_token/internal') return tokenAnswer(world, request);
  const [, token = ''] = /^Bearer (.+)$/.exec(request.headers['authorization'] ?? '') ?? [];
  if (!world.tokens.has(token))
    return refused(world, 99991663, 'Invalid access token for authorization.');
  const [scope, answer] = operationOf(world, path, request);
  if (scope !== '' && !world.scopes.has(scope))
    return refused(
      world,
      99991672,
      `Access denied. One of the following scopes is required: [${scope}].`,
    );
  return answer();
}

/** Returns the scope that an operation needs, and its answer. */
function operationOf(
  world: FeishuWorld,
  path: string,
  request: FakeRequest,
): readonly [scope: string, answer: () => FakeAnswer] {
  const { query } = request;
  const [, spaceId] = /^\/wiki\/v2\/spaces\/(\d+)\/nodes$/.exec(path) ?? [];
  const [, document] = /^\/docx\/v1\/documents\/(\w+)\/raw_content$/.exec(path) ?? [];
  if (document !== undefined) return ['docx:document', () => contentAnswer(world, document)];
  if (spaceId !== undefined)
    return [
      'wiki:wiki',
      () => {
        const parent = query.get('parent_node_token') ?? '';
        const nodes = childrenOf(world, parent).filter(({ space }) => space === spaceId);
        return listed(
          world,
          nodes.map((page) => nodeForm(world, page)),
          request,
        );
      },
    ];
  switch (path) {
    case '/im/v1/chats':
      return ['im:chat', () => listed(world, [...world.chats.values()].map(chatForm), request)];
    case '/im/v1/messages':
      return ['im:message', () => messagesAnswer(world, request)];
    case '/wiki/v2/spaces':
      return ['wiki:wiki', () => listed(world, [...world.spaces.values()].map(spaceForm), request)];
    case '/wiki/v2/spaces/get_node':
      return ['wiki:wiki', () => nodeAnswer(world, query.get('token') ?? '')];
    case '/drive/v1/files':
      return ['drive:drive', () => filesAnswer(world, request)];
    case '/drive/v1/metas/batch_query':
      return ['drive:drive', () => metasAnswer(world, request)];
    default:
      return ['', () => ({ status: 404, json: { code: 99991402, msg: 'not found' } })];
  }
}

function tokenAnswer(world: FeishuWorld, { body }: FakeRequest): FakeAnswer {
  const { app_id: id, app_secret: secret }: { app_id?: string; app_secret?: string } = Object(body);
  if (id !== 'cli_1' || secret !== world.secret) return refused(world, 10014, 'app secret invalid');
  const json = { code: 0, msg: 'ok', tenant_access_token: world.issueToken(), expire: 7200 };
  return { json };
}

/** The history of a chat leaves out the replies of topics. */
function messagesAnswer(world: FeishuWorld, request: FakeRequest): FakeAnswer {
  const { query } = request;
  const id = query.get('container_id') ?? '';
  if (world.leftChats.has(id))
    return refused(world, 230002, 'Bot/User can NOT be out of the chat.');
  const isChat = query.get('container_id_type') === 'chat';
  const since = Number(query.get('start_time') ?? 0) * 1000;
  const found = [...world.messages.values()].filter((message) => {
    if (!isChat) return message.thread === id;
    const isReplyInTopic = message.thread !== null && message.root !== null;
    return message.chatId === id && !isReplyInTopic && message.createdAt >= since;
  });
  return listed(world, found.map(messageForm), request);
}

function nodeAnswer(world: FeishuWorld, token: string): FakeAnswer {
  const page = world.pages.get(token);
  return page === undefined
    ? refused(world, 131005, 'not found: node not exist')
    : { json: success({ node: nodeForm(world, page) }) };
}

/** Its token of the next page has another name. */
function filesAnswer(world: FeishuWorld, request: FakeRequest): FakeAnswer {
  const folder = request.query.get('folder_token') ?? '';
  if (!world.pages.has(folder)) return refused(world, 1061003, 'not found.');
  const { items, next } = cut(world, childrenOf(world, folder).map(fileForm), request);
  return {
    json: success({
      files: items,
      has_more: next !== undefined,
      ...(next === undefined ? {} : { next_page_token: next }),
    }),
  };
}

/** Failures of single documents have status 200 and code 0. */
function metasAnswer(world: FeishuWorld, { body }: FakeRequest): FakeAnswer {
  const { request_docs: docs = [] }: { readonly request_docs?: readonly { doc_token: string }[] } =
    Object(body);
  const found = docs.map(({ doc_token: token }) => ({ token, page: byObject(world, token) }));
  const failed = found.filter(({ page }) => page === undefined);
  return {
    json: success({
      metas: found.flatMap(({ page }) => (page === undefined ? [] : [metaForm(page)])),
      ...(failed.length === 0
        ? {}
        : { failed_list: failed.map(({ token }) => ({ token, code: 970005 })) }),
    }),
  };
}

function contentAnswer(world: FeishuWorld, token: string): FakeAnswer {
  const page = byObject(world, token);
  return page === undefined
    ? refused(world, 1770002, 'not found')
    : { json: success({ content: page.content }) };
}

function byObject(world: FeishuWorld, token: string) {
  return [...world.pages.values()].find(({ objToken }) => objToken === token);
}

/** Answers a page of items. The last page has an empty token. */
function listed(world: FeishuWorld, all: readonly object[], request: FakeRequest): FakeAnswer {
  const { items, next } = cut(world, all, request);
  return {
    json: success({ items, has_more: next !== undefined, page_token: next ?? '' }),
  };
}

function cut(
  { pageSize }: FeishuWorld,
  all: readonly object[],
  { query }: FakeRequest,
): { readonly items: readonly object[]; readonly next: string | undefined } {
  const size = Math.min(pageSize, Number(query.get('page_size') ?? defaultPageSize));
  const start = Number(query.get('page_token') ?? 0);
  const end = start + size;
  return { items: all.slice(start, end), next: end < all.length ? String(end) : undefined };
}

function success(data: object): object {
  return { code: 0, msg: 'success', data };
}

function refused({ errorStatus }: FeishuWorld, code: number, msg: string): FakeAnswer {
  return { status: errorStatus, json: { code, msg } };
}
