import type { RecordMapping, Scope } from '@trove/connector-kit/http';

import type { IntercomConfig } from './config.js';
import { isRefusal } from './errors.js';
import { namesOfFiles, partItems, type MessagePart, type PartItem } from './parts.js';
import {
  authorName,
  namesOf,
  type MessageAuthor,
  type NamedParticipants,
  type Participants,
} from './people.js';
import { inboxUrl } from './site.js';
import { attributeTexts, firstWords, isoTime, plainText } from './texts.js';

/** A conversation, as the service describes it. Only a request for one conversation returns its parts. */
interface IntercomConversation extends Participants {
  readonly id: string;
  readonly title?: string | null;
  readonly created_at: number;
  readonly source?: {
    readonly type?: string;
    readonly subject?: string | null;
    readonly body?: string | null;
    readonly author?: MessageAuthor;
    readonly attachments?: MessagePart['attachments'];
    readonly redacted?: boolean;
  } | null;
  readonly tags?: { readonly tags?: readonly { readonly name: string }[] } | null;
  readonly conversation_rating?: { readonly rating?: number } | null;
  readonly custom_attributes?: Readonly<Record<string, unknown>> | null;
  readonly conversation_parts?: { readonly conversation_parts?: readonly MessagePart[] };
}

type ConversationItem = IntercomConversation & NamedParticipants;

interface ConversationPage {
  readonly conversations?: readonly IntercomConversation[];
}

/** Returns the conversations of a page. All look up their names at once, because look-ups of the same time share requests. */
export async function conversationItems(
  { conversations }: ConversationPage,
  scope: Scope,
): Promise<readonly ConversationItem[] | undefined> {
  return conversations && Promise.all(conversations.map((each) => conversationItem(each, scope)));
}

export async function conversationItem(
  conversation: IntercomConversation,
  scope: Scope,
): Promise<ConversationItem> {
  return { ...conversation, ...(await namesOf(conversation, scope)) };
}

/** Returns the deleted conversations of a page. Undefined for an answer without a list. */
export function deletedItems(answer: {
  readonly conversations?: readonly unknown[];
}): readonly unknown[] | undefined {
  return answer.conversations ?? (isRefusal(answer) ? [] : undefined);
}

/** Returns the messages and events after the first message. */
export function conversationParts({
  id,
  conversation_parts: parts,
}: IntercomConversation): readonly PartItem[] | undefined {
  return partItems(parts?.conversation_parts, id);
}

/** The message that a conversation begins with. */
export const conversationRecord: RecordMapping<IntercomConfig> = {
  title: titleOf,
  text: (item: ConversationItem) => firstMessage(item) || (titleOf(item) ?? ''),
  at: 'created_at',
  author: ({ source }: ConversationItem) => authorName(source?.author),
  url: ({ id }: ConversationItem, scope) => inboxUrl(id, scope),
  thread: 'id',
  threadFields: {
    conversation: 'id',
    state: 'state',
    priority: 'priority',
    channel: 'source.type',
    tags: ({ tags }: ConversationItem) => tags?.tags?.map(({ name }) => name),
    assignee: 'assignee',
    team: 'team',
    people: 'people',
    rating: 'conversation_rating.rating',
    ai_agent: 'ai_agent_participated',
    attributes: ({ custom_attributes: attributes }: ConversationItem) => attributeTexts(attributes),
    created: ({ created_at: time }: ConversationItem) => isoTime(time),
  },
  fields: {
    files: ({ source }: ConversationItem) => namesOfFiles(source?.attachments),
  },
};

function titleOf(item: ConversationItem): string | undefined {
  const { title, source } = item;
  return firstWords(plainText(title) || plainText(source?.subject) || firstMessage(item));
}

function firstMessage({ source }: ConversationItem): string {
  return source?.redacted === true ? '' : plainText(source?.body);
}
