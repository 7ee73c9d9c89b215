import type { FakeAnswer, FakeRequest, ServiceModel } from '@trove/connector-kit/http/fake';
import { exportByCursor, exportEvents } from './exports.js';
import {
  articleForm,
  categoryForm,
  commentForm,
  organizationForm,
  sectionForm,
  ticketForm,
  timeForm,
  userForm,
  type Account,
} from './forms.js';
import { listPage } from './paging.js';
import { forbidden, noSupport, notFound, notLoggedIn, unknownPath } from './problems.js';
import type { ZendeskWorld } from './world.js';

const apiPath = '/api/v2';

/** What the service answers. */
export function zendeskModel(world: ZendeskWorld): ServiceModel {
  return {
    rateLimited: ({ path }, retryAfterMs) => tooMany(path, retryAfterMs),
    unauthorized: notLoggedIn,
    answer(request) {
      const answer = answerOf({ world, origin: request.origin }, request);
      const date = new Date(world.now).toUTCString();
      return { ...answer, headers: { date, ...limitHeaders, ...answer.headers } };
    },
  };
}

const limitHeaders = {
  'x-rate-limit': '700',
  'rate-limit': '700',
  'x-rate-limit-remaining': '699',
  'rate-limit-remaining': '699',
  'rate-limit-reset': '43',
};

function tooMany(path: string, retryAfterMs: number): FakeAnswer {
  const seconds = String(Math.ceil(retryAfterMs / 1000));
  const of = path.includes('/incremental/') ? 'incremental ticket export API' : 'API';
  return {
    status: 429,
    headers: { 'retry-after': seconds, 'x-rate-limit': '10', 'x-rate-limit-remaining': '0' },
    json: {
      error: 'APIRateLimitExceeded',
      description: `Number of allowed ${of} requests per minute exceeded`,
    },
  };
}

/** Requests with a wrong login are refused. Those without one are served as those of an anonymous user. */
function answerOf(account: Account, request: FakeRequest): FakeAnswer {
  const { authorization } = request.headers;
  const path = request.path.startsWith(`${apiPath}/`) ? request.path.slice(apiPath.length) : '';
  if (authorization === undefined)
    return path === '/users/me.json' ? anonymousUser() : notLoggedIn();
  if (!isLoggedIn(account.world, authorization)) return notLoggedIn();
  return (
    userAnswer(account, request, path) ??
    helpCenterAnswer(account, request, path) ??
    ticketAnswer(account, request, path) ??
    unknownPath()
  );
}

function isLoggedIn({ tokens }: ZendeskWorld, authorization: string): boolean {
  const [, scheme = '', login = ''] = /^(basic|bearer) (.+)$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return tokens.has(login);
  const [user, token = ''] = Buffer.from(login, 'base64').toString().split(':');
  return user === 'ann@acme.example/token' && tokens.has(token);
}

function anonymousUser(): FakeAnswer {
  return {
    json: {
      user: { id: null, name: 'Anonymous user', email: 'invalid@example.com', role: 'end-user' },
    },
  };
}

function userAnswer(account: Account, request: FakeRequest, path: string): FakeAnswer | undefined {
  const { world } = account;
  const ids = request.query.get('ids')?.split(',').map(Number) ?? [];
  if (ids.length > 100) return notFound();
  const [me] = world.users.values();
  switch (path) {
    case '/users/me.json':
      return me && { json: { user: userForm(account, { ...me, role: world.role }) } };
    case '/users/show_many.json':
      return listPage(request, 'users', usersWith(account, ids));
    case '/users.json':
      return listPage(request, 'users', usersWith(account, [...world.users.keys()]));
    case '/organizations/show_many.json':
      return listPage(request, 'organizations', organizationsWith(account, ids));
    case '/organizations.json': {
      const all = organizationsWith(account, [...world.organizations.keys()]);
      return listPage(request, 'organizations', all);
    }
    case '/groups.json': {
      const groups = [...world.groups].map(([id, name]) => ({ id, name, deleted: false }));
      return listPage(request, 'groups', groups);
    }
    default:
      return undefined;
  }
}

function usersWith(account: Account, ids: readonly number[]): readonly unknown[] {
  return ids
    .flatMap((id) => account.world.users.get(id) ?? [])
    .map((user) => userForm(account, user));
}

function organizationsWith(account: Account, ids: readonly number[]): readonly unknown[] {
  return ids.flatMap((id) => {
    const name = account.world.organizations.get(id);
    return name === undefined ? [] : [organizationForm(account, id, name)];
  });
}

function helpCenterAnswer(
  account: Account,
  request: FakeRequest,
  path: string,
): FakeAnswer | undefined {
  const { world } = account;
  if (!path.startsWith('/help_center/')) return undefined;
  if (!world.hasHelpCenter) return unknownPath();
  const included = request.query.get('include')?.split(',') ?? [];
  const sections = [...world.sections.keys()].map((id) => sectionForm(account, id));
  const categories = [...world.categories.keys()].map((id) => categoryForm(account, id));
  const others = {
    ...(included.includes('sections') ? { sections } : {}),
    ...(included.includes('categories') ? { categories } : {}),
    ...(included.includes('users') ? { users: usersWith(account, [world.ann]) } : {}),
  };
  const articles = [...world.articles.values()];
  switch (path) {
    case '/help_center/sections.json':
      return listPage(request, 'sections', sections);
    case '/help_center/categories.json':
      return listPage(request, 'categories', categories);
    case '/help_center/articles.json': {
      const forms = articles.map((article) => articleForm(account, article));
      return listPage(request, 'articles', forms, others);
    }
    default: {
      const [, id] = /^\/help_center\/articles\/(\d+)\.json$/.exec(path) ?? [];
      const article = articles.find((each) => String(each.id) === id);
      return article === undefined
        ? notFound()
        : { json: { article: articleForm(account, article), ...others } };
    }
  }
}

function ticketAnswer(
  account: Account,
  request: FakeRequest,
  path: string,
): FakeAnswer | undefined {
  const { world } = account;
  if (!/^\/(?:incremental|tickets|deleted_tickets)\b/.test(path)) return undefined;
  if (!world.hasSupport) return noSupport();
  if (path.startsWith('/incremental/') && world.role !== 'admin') return forbidden();
  const all = [...world.tickets.values()];
  switch (path) {
    case '/incremental/tickets/cursor.json':
      return exportByCursor(account, request, 'tickets');
    case '/incremental/users/cursor.json':
      return exportByCursor(account, request, 'users');
    case '/incremental/ticket_events.json':
      return exportEvents(account, request);
    case '/tickets.json': {
      const listed = all.filter(({ status, isArchived }) => status !== 'deleted' && !isArchived);
      const forms = listed.map((ticket) => ticketForm(account, ticket));
      return listPage(request, 'tickets', forms);
    }
    case '/deleted_tickets.json': {
      const deleted = all.filter(({ status }) => status === 'deleted');
      const forms = deleted.map(({ id, subject, updatedAt }) => ({
        id,
        subject,
        deleted_at: timeForm(updatedAt),
        previous_state: 'open',
      }));
      return listPage(request, 'deleted_tickets', forms);
    }
    default:
      return oneTicket(account, request, path);
  }
}

function oneTicket(account: Account, request: FakeRequest, path: string): FakeAnswer {
  const { world } = account;
  const [, id, part] = /^\/tickets\/(\d+)(\/comments)?\.json$/.exec(path) ?? [];
  const ticket = world.tickets.get(Number(id));
  if (ticket === undefined || ticket.status === 'deleted') return notFound();
  if (part === undefined) return { json: { ticket: ticketForm(account, ticket) } };
  const comments = world.commentsOf(ticket.id).map((comment) => commentForm(account, comment));
  return listPage(request, 'comments', comments);
}
