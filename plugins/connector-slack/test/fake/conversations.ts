import type { FakeAnswer } from '@trove/connector-kit/http/fake';
import { isTrue, type Arguments } from './arguments.js';
import { channelForm } from './forms.js';
import { messageForm } from './message-form.js';
import { page } from './paging.js';
import { problem } from './problems.js';
import type { Channel, ChannelKind, Message, SlackWorld } from './world.js';

const kinds: Readonly<Record<string, ChannelKind>> = {
  public_channel: 'public',
  private_channel: 'private',
  im: 'im',
  mpim: 'mpim',
};

/** Returns the kinds of channels that a listing includes, or null for an unknown one. */
export function listedKinds(args: Arguments): readonly ChannelKind[] | null {
  const types = (args.get('types') ?? 'public_channel').split(',').map((type) => type.trim());
  const found = types.flatMap((type) => kinds[type] ?? []);
  return found.length === types.length ? found : null;
}

/** The filter for archived channels applies to the rows of a page, so pages may be short or empty. */
export function listConversations(world: SlackWorld, args: Arguments): FakeAnswer {
  const listed = listedKinds(args);
  if (listed === null) return problem('invalid_types');
  const channels = [...world.channels.values()]
    .filter((channel) => listed.includes(channel.kind) && isVisible(channel))
    .toSorted((left, right) => (left.id < right.id ? -1 : 1));
  const withoutArchived = isTrue(args.get('exclude_archived'));
  return page(world, channels, args, {
    prefix: 'team',
    defaultLimit: 100,
    position: ({ id }) => id,
    answer: (rows, cursor) => ({
      json: {
        ok: true,
        channels: rows
          .filter(({ isArchived }) => !withoutArchived || !isArchived)
          .map((channel) => channelForm(world, channel)),
        response_metadata: { next_cursor: cursor },
      },
    }),
  });
}

export function conversationInfo(world: SlackWorld, args: Arguments): FakeAnswer {
  const channel = findChannel(world, args);
  if (channel === null) return problem('channel_not_found');
  return { json: { ok: true, channel: channelForm(world, channel) } };
}

export function joinConversation(world: SlackWorld, args: Arguments): FakeAnswer {
  const channel = findChannel(world, args);
  if (channel === null) return problem('channel_not_found');
  if (channel.kind !== 'public') return problem('method_not_supported_for_channel_type');
  if (channel.isArchived) return problem('is_archived');
  world.editChannel(channel.id, { isMember: true });
  const form = channelForm(world, world.channel(channel.id));
  if (!channel.isMember) return { json: { ok: true, channel: form } };
  const warning = { warning: 'already_in_channel' };
  const warnings = { response_metadata: { warnings: ['already_in_channel'] } };
  return { json: { ok: true, channel: form, ...warning, ...warnings } };
}

/** Messages of the channel without replies, newest first in each page. */
export function history(world: SlackWorld, args: Arguments): FakeAnswer {
  const channel = findChannel(world, args);
  if (channel === null) return problem('channel_not_found');
  if (!channel.isMember) return problem('not_in_channel');
  const invalid = invalidTime(args);
  if (invalid !== null) return invalid;
  const within = inRange(args);
  const messages = world
    .visibleMessages(channel.id)
    .filter(
      (message) => (message.thread === null || message.isBroadcast === true) && within(message),
    );
  // With `oldest` alone, the first page has the oldest messages.
  const isAscending = args.has('oldest') && !args.has('latest');
  return page(world, isAscending ? messages : messages.toReversed(), clipped(world, args), {
    prefix: 'next_ts',
    defaultLimit: 100,
    position: positionOf,
    isDescending: !isAscending,
    answer: (rows, cursor) => ({
      json: {
        ok: true,
        messages: (isAscending ? rows.toReversed() : rows).map((message) =>
          messageForm(world, channel.id, message),
        ),
        has_more: cursor !== '',
        pin_count: 0,
        channel_actions_ts: null,
        channel_actions_count: 0,
        ...(cursor === '' ? {} : { response_metadata: { next_cursor: cursor } }),
      },
    }),
  });
}

/** The first message of the thread on every page, and replies, oldest first. */
export function replies(world: SlackWorld, args: Arguments): FakeAnswer {
  const channel = findChannel(world, args);
  if (channel === null) return problem('channel_not_found');
  if (!channel.isMember) return problem('not_in_channel');
  const invalid = invalidTime(args);
  if (invalid !== null) return invalid;
  const message = world.findMessage(channel.id, args.get('ts') ?? '');
  if (message === null || message.visibleAt > world.now) return problem('thread_not_found');
  const within = inRange(args);
  const rows = message.thread === null ? world.replies(channel.id, message.ts).filter(within) : [];
  return page(world, rows, clipped(world, args), {
    prefix: 'next_ts',
    defaultLimit: 1000,
    position: positionOf,
    answer: (found, cursor) => ({
      json: {
        ok: true,
        messages: [message, ...found].map((each) => messageForm(world, channel.id, each)),
        has_more: cursor !== '',
        ...(cursor === '' ? {} : { response_metadata: { next_cursor: cursor } }),
      },
    }),
  });
}

/** Returns the channel of a call. Private channels that the app has not joined do not exist. */
export function findChannel({ channels }: SlackWorld, args: Arguments): Channel | null {
  const channel = channels.get(args.get('channel') ?? '');
  return channel !== undefined && isVisible(channel) ? channel : null;
}

function isVisible({ kind, isMember }: Channel): boolean {
  return kind === 'public' || isMember;
}

function inRange(args: Arguments): (message: Message) => boolean {
  const [oldest, latest] = [number(args.get('oldest')), number(args.get('latest'))];
  const isInclusive = isTrue(args.get('inclusive'));
  return ({ ts }) => {
    const time = micros(ts);
    if (isInclusive && (time === oldest || time === latest)) return true;
    return (oldest === null || time > oldest) && (latest === null || time < latest);
  };
}

function invalidTime(args: Arguments): FakeAnswer | null {
  for (const name of ['oldest', 'latest']) {
    const text = args.get(name);
    if (text !== undefined && !/^\d+(\.\d+)?$/.test(text)) return problem(`invalid_ts_${name}`);
  }
  return null;
}

function number(ts: string | undefined): bigint | null {
  return ts === undefined ? null : micros(ts);
}

/** Returns a `ts` in microseconds. */
function micros(ts: string): bigint {
  const [whole = '0', part = ''] = ts.split('.');
  return BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, '0').slice(0, 6));
}

function positionOf({ ts }: Message): string {
  return ts.replace('.', '');
}

function clipped({ isClipped }: SlackWorld, args: Arguments): Arguments {
  if (!isClipped) return args;
  const limit = Math.min(15, Number(args.get('limit') ?? 15));
  return new Map([...args, ['limit', String(limit)]]);
}
