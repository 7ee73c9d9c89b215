import type { FakeAnswer, FakeRequest, ServiceModel } from '@trove/connector-kit/http/fake';
import { argumentsOf, type Arguments } from './arguments.js';
import {
  conversationInfo,
  findChannel,
  history,
  joinConversation,
  listConversations,
  listedKinds,
  replies,
} from './conversations.js';
import { fileBytes, fileInfo, listFiles } from './files.js';
import { personForm } from './forms.js';
import { page } from './paging.js';
import { problem } from './problems.js';
import type { ChannelKind, SlackWorld } from './world.js';

interface Method {
  /** The scopes that a call needs. */
  readonly scopes: (world: SlackWorld, args: Arguments) => readonly string[];
  readonly answer: (world: SlackWorld, args: Arguments, request: FakeRequest) => FakeAnswer;
}

const prefixes: Readonly<Record<ChannelKind, string>> = {
  public: 'channels',
  private: 'groups',
  im: 'im',
  mpim: 'mpim',
};

const methods: Readonly<Record<string, Method>> = {
  'auth.test': { scopes: () => [], answer: authTest },
  'team.info': { scopes: () => ['team:read'], answer: teamInfo },
  'conversations.list': { scopes: listScopes, answer: listConversations },
  'conversations.info': { scopes: scopesOfChannel('read'), answer: conversationInfo },
  'conversations.join': { scopes: () => ['channels:join'], answer: joinConversation },
  'conversations.history': {
    scopes: scopesOfChannel('history'),
    answer: history,
  },
  'conversations.replies': {
    scopes: scopesOfChannel('history'),
    answer: replies,
  },
  'users.list': { scopes: () => ['users:read'], answer: listPeople },
  'users.info': { scopes: () => ['users:read'], answer: personInfo },
  'files.list': {
    scopes: () => ['files:read'],
    answer: listFiles,
  },
  'files.info': {
    scopes: () => ['files:read'],
    answer: fileInfo,
  },
};

/** What the service answers. Paths below `/files-pri` stand for the host of files. */
export function slackModel(world: SlackWorld): ServiceModel {
  return {
    rateLimited: (_request, retryAfterMs) => ({
      status: 429,
      headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) },
      json: { ok: false, error: 'ratelimited' },
    }),
    unauthorized: () => problem('token_revoked'),
    answer(request) {
      if (!request.path.startsWith('/api/')) return fileBytes(world, request);
      const method = methods[request.path.slice('/api/'.length)];
      return method === undefined ? problem('unknown_method') : call(world, method, request);
    },
  };
}

function call(world: SlackWorld, { scopes, answer }: Method, request: FakeRequest): FakeAnswer {
  const args = argumentsOf(request);
  const [, bearer] = /^bearer (.+)$/i.exec(request.headers['authorization'] ?? '') ?? [];
  const token = bearer ?? args.get('token');
  if (token === undefined) return problem('not_authed');
  if (!world.tokens.has(token)) return problem('invalid_auth');
  const provided = [...world.scopes].toSorted().join(',');
  const needed = scopes(world, args);
  const missing = needed.find((scope) => !world.scopes.has(scope));
  const headers = {
    'x-oauth-scopes': provided,
    ...(needed.length === 0 ? {} : { 'x-accepted-oauth-scopes': needed.join(',') }),
  };
  if (missing !== undefined)
    return { ...problem('missing_scope', { needed: missing, provided }), headers };
  return { ...answer(world, args, request), headers };
}

function listScopes(_world: SlackWorld, args: Arguments): readonly string[] {
  return (listedKinds(args) ?? []).map((kind) => `${prefixes[kind]}:read`);
}

/** The scope depends on the kind of the channel. An unknown channel needs none. */
function scopesOfChannel(right: 'history' | 'read'): Method['scopes'] {
  return (world, args) => {
    const channel = findChannel(world, args);
    return channel === null ? [] : [`${prefixes[channel.kind]}:${right}`];
  };
}

function authTest({ domain, teamId, appUser }: SlackWorld): FakeAnswer {
  return {
    json: {
      ok: true,
      url: `https://${domain}.slack.com/`,
      team: 'Acme',
      user: 'trove',
      team_id: teamId,
      user_id: appUser,
      bot_id: 'B00000001',
      is_enterprise_install: false,
    },
  };
}

function teamInfo({ domain, teamId }: SlackWorld): FakeAnswer {
  const url = `https://${domain}.slack.com/`;
  const icon = { image_default: true };
  const team = {
    id: teamId,
    name: 'Acme',
    domain,
    email_domain: '',
    icon,
    url,
    is_verified: false,
  };
  return { json: { ok: true, team } };
}

function listPeople(world: SlackWorld, args: Arguments): FakeAnswer {
  const people = [...world.people.values()]
    .filter(({ isGuest }) => !isGuest)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  if (!args.has('limit') && people.length > world.maxUnlimitedPeople)
    return problem('limit_required');
  return page(world, people, args, {
    prefix: 'user',
    defaultLimit: world.maxUnlimitedPeople,
    position: ({ id }) => id,
    answer: (rows, cursor) => ({
      json: {
        ok: true,
        members: rows.map((person) => personForm(world, person)),
        cache_ts: Math.floor(world.now / 1000),
        response_metadata: { next_cursor: cursor },
      },
    }),
  });
}

function personInfo(world: SlackWorld, args: Arguments): FakeAnswer {
  const person = world.people.get(args.get('user') ?? '');
  if (person === undefined) return problem('user_not_found');
  return { json: { ok: true, user: personForm(world, person) } };
}
