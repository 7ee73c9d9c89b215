import type { FakeAnswer, FakeRequest, ServiceModel } from '@trove/connector-kit/http/fake';
import {
  adminForm,
  articleForm,
  collectionForm,
  contactForm,
  conversationForm,
  fullConversationForm,
  internalArticleForm,
  meForm,
  secondsOf,
  ticketForm,
} from './forms.js';
import { countedPage } from './paging.js';
import {
  invalidToken,
  notFound,
  notInPlan,
  notPermitted,
  problem,
  tooOldVersion,
} from './problems.js';
import { searchAnswer } from './search.js';
import type { Article, IntercomWorld } from './world.js';

const windowMs = 10_000;
const limit = '1666';
/** The first version that lists deleted conversations. */
const deletedVersion = 16;

/** What the service answers. */
export function intercomModel(world: IntercomWorld): ServiceModel {
  return {
    rateLimited: (_request, waitMs) => ({
      ...problem(429, 'rate_limit_exceeded', 'Exceeded rate limit'),
      headers: limitHeaders(0, Date.now() + waitMs),
    }),
    unauthorized: invalidToken,
    answer(request) {
      const answer = answerOf(world, request);
      const date = new Date(world.now).toUTCString();
      return { ...answer, headers: { date, ...limitHeaders(1665, Date.now() + windowMs) } };
    },
  };
}

function limitHeaders(remaining: number, resetMs: number): Readonly<Record<string, string>> {
  return {
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetMs / 1000)),
  };
}

function answerOf(world: IntercomWorld, request: FakeRequest): FakeAnswer {
  const { headers, path, method } = request;
  const [, token = ''] = /^Bearer (.+)$/i.exec(headers['authorization'] ?? '') ?? [];
  if (!world.tokens.has(token)) return invalidToken();
  const isBelow = (start: string): boolean => path.startsWith(start);
  if ([...world.forbidden].some(isBelow)) return notPermitted();
  if ([...world.excluded].some(isBelow)) return notInPlan();
  const answer = method === 'POST' ? found(world, request) : listed(world, request);
  return answer ?? notFound();
}

/** Answers searches. */
function found(world: IntercomWorld, request: FakeRequest): FakeAnswer | undefined {
  switch (request.path) {
    case '/conversations/search':
      return searchAnswer(request, searchable(world.conversations.values()), {
        type: 'conversation.list',
        name: 'conversations',
        form: ({ item }) => conversationForm(item),
      });
    case '/tickets/search':
      return searchAnswer(request, searchable(world.tickets.values()), {
        type: 'ticket.list',
        name: 'tickets',
        form: ({ item }) => ticketForm(world, item),
      });
    case '/contacts/search': {
      const contacts = [...world.people.values()].filter(({ type }) => type === 'user');
      const items = contacts.map((item) => ({ id: item.id, updatedAt: 0, item }));
      return searchAnswer(request, items, {
        type: 'list',
        name: 'data',
        form: ({ item }) => contactForm(item),
      });
    }
    default:
      return undefined;
  }
}

function searchable<T extends { readonly id: string; readonly updatedAt: number }>(
  items: Iterable<T>,
): { readonly id: string; readonly updatedAt: number; readonly item: T }[] {
  return [...items].map((item) => ({
    id: item.id,
    updatedAt: secondsOf(item.updatedAt),
    item,
  }));
}

function listed(world: IntercomWorld, request: FakeRequest): FakeAnswer | undefined {
  const { path } = request;
  switch (path) {
    case '/me':
      return { json: meForm(world) };
    case '/admins': {
      const admins = [...world.people.values()].filter(({ type }) => type === 'admin');
      return { json: { type: 'admin.list', admins: admins.map(adminForm) } };
    }
    case '/teams': {
      const teams = [...world.teams].map(([id, name]) => ({
        type: 'team',
        id,
        name,
        admin_ids: [],
      }));
      return { json: { type: 'team.list', teams } };
    }
    case '/articles':
      return countedPage(
        request,
        lastChangeFirst(world.articles).map((article) => articleForm(world, article)),
      );
    case '/internal_articles':
      return countedPage(
        request,
        lastChangeFirst(world.internalArticles).map((article) =>
          internalArticleForm(world, article),
        ),
      );
    case '/help_center/collections':
      return countedPage(
        request,
        [...world.collections].map(([id, collection]) => collectionForm(id, collection)),
      );
    case '/conversations/deleted':
      return deletedConversations(world, request);
    default:
      return one(world, path);
  }
}

function lastChangeFirst(articles: ReadonlyMap<string, Article>): readonly Article[] {
  return [...articles.values()].toSorted((a, b) => b.updatedAt - a.updatedAt);
}

function deletedConversations(world: IntercomWorld, request: FakeRequest): FakeAnswer {
  const version = request.headers['intercom-version'] ?? world.appVersion;
  if (Number(version.split('.')[1]) < deletedVersion) return tooOldVersion();
  const sign = request.query.get('order') === 'asc' ? 1 : -1;
  const items = world.deleted
    .toSorted((a, b) => sign * (a.at - b.at))
    .map(({ id, at }) => ({
      type: 'conversation',
      id,
      metrics_retained: true,
      deleted_at: secondsOf(at),
    }));
  return countedPage(request, items, {
    type: 'conversations.list',
    name: 'conversations',
    maxSize: 60,
  });
}

function one(world: IntercomWorld, path: string): FakeAnswer | undefined {
  const [, kind, id = ''] = /^\/(\w+)\/(\w+)$/.exec(path) ?? [];
  switch (kind) {
    case 'conversations': {
      const item = world.conversations.get(id);
      return item && { json: fullConversationForm(world, item) };
    }
    case 'tickets': {
      const item = world.tickets.get(id);
      return item && { json: ticketForm(world, item) };
    }
    case 'articles': {
      const item = world.articles.get(id);
      return item && { json: articleForm(world, item) };
    }
    case 'internal_articles': {
      const item = world.internalArticles.get(id);
      return item && { json: internalArticleForm(world, item) };
    }
    default:
      return undefined;
  }
}
