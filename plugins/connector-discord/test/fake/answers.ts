import type { FakeAnswer, FakeRequest, ServiceModel } from '@trove/connector-kit/http/fake';

import {
  channelForm,
  memberForm,
  messageForm,
  ownUserForm,
  roleForm,
  threadForm,
} from './forms.js';
import {
  invalidBody,
  missingAccess,
  problem,
  unknownChannel,
  unknownGuild,
  unknownMember,
  unknownMessage,
  wrongChannelType,
} from './problems.js';
import { searchAnswer } from './search.js';
import { botId, readHistory, viewChannel, type Channel, type DiscordWorld } from './world.js';

const maxLimit = 100;
const forumTypes: ReadonlySet<number> = new Set([15, 16]);

/** What the service answers below `/api/v10`. */
export function discordModel(world: DiscordWorld): ServiceModel {
  const unauthorized = (): FakeAnswer => problem(401, 0, '401: Unauthorized');
  return {
    unauthorized,
    rateLimited: (_request, retryAfterMs) => ({
      status: 429,
      headers: {
        'retry-after': String(Math.ceil(retryAfterMs / 1000)),
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String((Date.now() + retryAfterMs) / 1000),
        'x-ratelimit-reset-after': String(retryAfterMs / 1000),
        'x-ratelimit-bucket': '00000000000000000000000000000000',
        'x-ratelimit-scope': 'user',
      },
      json: {
        message: 'You are being rate limited.',
        retry_after: retryAfterMs / 1000,
        global: false,
      },
    }),
    answer(request) {
      const { authorization = '', 'user-agent': client = '' } = request.headers;
      if (!client.startsWith('DiscordBot (')) return { status: 403, body: 'error code: 1010' };
      const [, token = ''] = /^Bot (.+)$/.exec(authorization) ?? [];
      if (!world.tokens.has(token)) return unauthorized();
      return answerOf(world, request);
    },
  };
}

function answerOf(world: DiscordWorld, request: FakeRequest): FakeAnswer {
  const [, kind = '', id = '', rest = ''] =
    /^\/api\/v10\/(guilds|channels|users)\/([^/]+)(.*)$/.exec(request.path) ?? [];
  if (kind === 'users') return id === '@me' && rest === '' ? { json: ownUserForm() } : notFound();
  if (kind === 'guilds')
    return id === world.guild && world.isMember ? ofGuild(world, request, rest) : unknownGuild;
  return kind === 'channels' ? ofChannel(world, request, id, rest) : notFound();
}

function ofGuild(world: DiscordWorld, request: FakeRequest, rest: string): FakeAnswer {
  switch (rest) {
    case '/channels':
      return { json: [...world.channels.values()].map((each) => channelForm(world, each)) };
    case '/roles':
      return { json: [world.everyone, world.botRole].map(roleForm) };
    case '/threads/active': {
      const active = [...world.threads.values()].filter(
        ({ archivedAt, channel }) => archivedAt === null && isReadable(world, channel),
      );
      const threads = active.map((each) => threadForm(world, each));
      return { json: { threads, members: [], has_more: false } };
    }
    case '/messages/search':
      return searchAnswer(world, request, ({ place }) => isReadable(world, place));
    default: {
      const [, member] = /^\/members\/(\d+)$/.exec(rest) ?? [];
      if (member === undefined) return notFound();
      return member === botId ? { json: memberForm(world) } : unknownMember;
    }
  }
}

function ofChannel(
  world: DiscordWorld,
  request: FakeRequest,
  id: string,
  rest: string,
): FakeAnswer {
  const channel = channelOf(world, id);
  if (channel === undefined) return unknownChannel;
  if (!isReadable(world, id)) return missingAccess;
  if (rest === '/threads/archived/public') return archivedThreads(world, request, id);
  const isForum = channel.id === id && forumTypes.has(channel.type);
  if (isForum) return wrongChannelType;
  if (rest === '/messages') return history(world, request, id);
  const [, message] = /^\/messages\/(\d+)$/.exec(rest) ?? [];
  if (message === undefined) return notFound();
  const found = world.messages.get(message);
  return found?.place === id ? { json: messageForm(world, found) } : unknownMessage;
}

/** Messages come newest first. `before` and `after` are exclusive. */
function history(world: DiscordWorld, { query }: FakeRequest, place: string): FakeAnswer {
  const limit = limitOf(query);
  if (limit === null) return invalidBody;
  const [before, after] = [query.get('before'), query.get('after')];
  const found = world
    .history(place)
    .filter(({ id }) => before === null || BigInt(id) < BigInt(before))
    .filter(({ id }) => after === null || BigInt(id) > BigInt(after));
  const page = after === null ? found.slice(0, limit) : found.slice(-limit);
  return { json: page.map((message) => messageForm(world, message)) };
}

/** The last archived come first. `before` is a time. */
function archivedThreads(world: DiscordWorld, { query }: FakeRequest, channel: string): FakeAnswer {
  const limit = limitOf(query);
  if (limit === null) return invalidBody;
  const before = Date.parse(query.get('before') ?? '9999-12-31T00:00:00Z');
  const archived = [...world.threads.values()]
    .filter((thread) => thread.channel === channel && !thread.isPrivate)
    .filter(({ archivedAt }) => archivedAt !== null && archivedAt < before)
    .toSorted((a, b) => (b.archivedAt ?? 0) - (a.archivedAt ?? 0));
  const threads = archived.slice(0, limit).map((each) => threadForm(world, each));
  return { json: { threads, members: [], has_more: archived.length > limit } };
}

function limitOf(query: URLSearchParams): number | null {
  const limit = Number(query.get('limit') ?? 50);
  return Number.isInteger(limit) && limit >= 1 && limit <= maxLimit ? limit : null;
}

/** Returns a channel, or that of a thread. */
function channelOf(world: DiscordWorld, id: string): Channel | undefined {
  return world.channels.get(world.threads.get(id)?.channel ?? id);
}

function isReadable(world: DiscordWorld, id: string): boolean {
  const channel = channelOf(world, id);
  if (channel === undefined) return false;
  const base = world.everyone.permissions | world.botRole.permissions;
  const rights = (base & ~channel.deny) | channel.allow;
  return (rights & viewChannel) !== 0n && (rights & readHistory) !== 0n;
}

function notFound(): FakeAnswer {
  return problem(404, 0, '404: Not Found');
}
