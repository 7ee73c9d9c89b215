import type { RecordParts, Scope } from '@trove/connector-kit/http';

import { guildOf, type DiscordSettings } from './config.js';
import type { DiscordMessage, DiscordThread } from './forms.js';

/** Messages, replies, answers of commands, and the first message of a thread. Others are notices about the channel. */
const messageTypes: ReadonlySet<number> = new Set([0, 19, 20, 21, 23]);
/** Messages and replies of people, which are never empty. */
const personalTypes: ReadonlySet<number> = new Set([0, 19]);
const replyType = 19;
const starterType = 21;

type Body = Pick<DiscordMessage, 'attachments' | 'content' | 'embeds' | 'mentions'>;

/** Whether a row of a history is a message that people search for. */
export function isMessage(
  { type, author, webhook_id: webhook }: DiscordMessage,
  withBots: boolean,
): boolean {
  const isBot = author.bot === true || webhook !== undefined;
  return messageTypes.has(type) && (withBots || !isBot);
}

/**
 * Whether the service has removed the contents of messages, because the bot lacks the intent. It shows only messages that
 * mention the bot.
 */
export function lacksContent(messages: readonly DiscordMessage[]): boolean {
  const personal = messages.filter(
    ({ type, author, webhook_id: webhook }) =>
      personalTypes.has(type) && author.bot !== true && webhook === undefined,
  );
  const empty = personal.filter(isEmpty);
  return empty.length > 0 && empty.length * 2 >= personal.length;
}

/** Makes a record of a message. In a channel, each message is a conversation of its own. */
export function messageRecord(item: DiscordMessage, scope: Scope<DiscordSettings>): RecordParts {
  const thread: Partial<DiscordThread> = Object(scope.parents['threads']);
  const { id, channel_id: channel, author } = item;
  // The first message of a thread is in its channel, and repeated without a text.
  const source = item.type === starterType ? (item.referenced_message ?? item) : item;
  return {
    text: textOf(source),
    at: item.timestamp,
    author: author.global_name ?? author.username,
    url: `https://discord.com/channels/${guildOf(scope)}/${channel}/${id}`,
    ...(typeof item.edited_timestamp === 'string' ? { version: item.edited_timestamp } : {}),
    thread: thread.id ?? id,
    ...(thread.name === undefined ? {} : { threadFields: { thread: thread.name } }),
    fields: fieldsOf(item),
  };
}

function isEmpty(message: DiscordMessage): boolean {
  const { attachments = [], embeds = [], sticker_items: stickers = [], poll } = message;
  const { content, message_snapshots: forwarded = [] } = message;
  const parts = [...attachments, ...embeds, ...stickers, ...forwarded];
  return content === '' && parts.length === 0 && poll === undefined;
}

function textOf(message: DiscordMessage): string {
  const { message_snapshots: forwarded = [], poll, sticker_items: stickers = [] } = message;
  const texts = [
    ...bodyTexts(message),
    ...forwarded.flatMap(({ message: body }) => bodyTexts(body)),
    ...(poll === undefined
      ? []
      : [
          poll.question.text ?? '',
          ...poll.answers.map(({ poll_media: { text = '' } }) => `- ${text}`),
        ]),
    ...stickers.map(({ name }) => `:${name}:`),
  ];
  return texts.filter((text) => text !== '').join('\n');
}

function bodyTexts({ content, mentions = [], embeds = [], attachments = [] }: Body): string[] {
  const names = new Map(
    mentions.map(({ id, username, global_name: name }) => [id, name ?? username]),
  );
  return [
    content
      .replace(/<@!?(\d+)>/g, (whole, id: string) => (names.has(id) ? `@${names.get(id)}` : whole))
      .replace(/<a?(:\w+:)\d+>/g, '$1'),
    ...embeds.flatMap(({ title = '', description = '', fields = [] }) => [
      title,
      description,
      ...fields.map(({ name, value }) => `${name}: ${value}`),
    ]),
    ...attachments.map(({ description = '' }) => description),
  ];
}

function fieldsOf(message: DiscordMessage): Readonly<Record<string, unknown>> {
  const { type, author, webhook_id: webhook, edited_timestamp: edited } = message;
  const {
    pinned = false,
    reactions = [],
    attachments = [],
    message_reference: reference,
  } = message;
  const names = reactions.flatMap(({ emoji: { name } }) => name ?? []);
  const isReply = type === replyType && reference?.message_id !== undefined;
  return {
    ...(isReply ? { reply_to: reference.message_id } : {}),
    ...(author.bot === true || webhook !== undefined ? { bot: true } : {}),
    ...(typeof edited === 'string' ? { edited: true } : {}),
    ...(pinned ? { pinned: true } : {}),
    ...(names.length === 0 ? {} : { reactions: names }),
    ...(attachments.length === 0 ? {} : { files: attachments.map(({ filename }) => filename) }),
  };
}
