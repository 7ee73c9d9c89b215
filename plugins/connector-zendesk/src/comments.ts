import {
  pageError,
  type Answer,
  type PageChange,
  type RecordMapping,
  type Scope,
} from '@trove/connector-kit/http';

import type { ZendeskConfig } from './config.js';
import { isRefusal } from './errors.js';
import { ticketUrl } from './site.js';

interface ZendeskComment {
  readonly id: number;
  readonly body?: string;
  readonly public?: boolean;
  readonly author_id?: number;
  readonly attachments?: readonly { readonly file_name: string }[];
}

interface TicketEvent {
  readonly ticket_id: number;
  readonly created_at: string;
  readonly child_events: readonly (ZendeskComment & { readonly event_type: string })[];
}

/** The two answers with comments: the events of all tickets, and the comments of one ticket. */
interface CommentAnswer {
  readonly ticket_events?: readonly TicketEvent[];
  readonly end_time?: number | null;
  readonly end_of_stream?: boolean;
  readonly comments?: readonly (ZendeskComment & { readonly created_at: string })[];
  readonly meta?: { readonly has_more?: boolean; readonly after_cursor?: string | null };
}

export interface CommentItem extends ZendeskComment {
  readonly ticket: number;
  readonly created_at: string;
  readonly author: unknown;
}

/**
 * Returns the comments of an answer. All look up their authors at once, because look-ups of the same time share requests.
 * `ticket` is that of an answer with the comments of one ticket. Undefined for an answer without a list.
 */
export async function commentItems(
  answer: CommentAnswer,
  { lookup }: Scope,
  ticket: number,
): Promise<readonly CommentItem[] | undefined> {
  const { ticket_events: events, comments } = answer;
  const found =
    events === undefined
      ? comments?.map((comment) => ({ ...comment, ticket }))
      : events.flatMap(commentsOf);
  if (found === undefined) return isRefusal(answer) ? [] : undefined;
  const all = found.filter(({ body = '' }) => body !== '');
  return Promise.all(
    all.map(async (comment) => ({ ...comment, author: await lookup('users', comment.author_id) })),
  );
}

function commentsOf({
  ticket_id: ticket,
  created_at,
  child_events: children,
}: TicketEvent): readonly Omit<CommentItem, 'author'>[] {
  return children
    .filter(({ event_type: type }) => type === 'Comment' || type === 'VoiceComment')
    .map((comment) => ({ ...comment, ticket, created_at }));
}

/**
 * Events are exported by time. A page begins with the last second of the previous one, or after it if there is nothing else. The
 * comments of one ticket are paged with tokens.
 */
export function nextCommentPage(answer: Answer): PageChange | null {
  const { body, url } = answer;
  const {
    ticket_events: events,
    end_time: time,
    end_of_stream: isLast,
    meta,
  }: CommentAnswer = Object(body);
  if (events !== undefined) {
    if (isLast === true) return null;
    if (isLast === undefined) throw pageError(answer, 'has no `end_of_stream`');
    if (typeof time !== 'number') throw pageError(answer, 'has no `end_time`');
    const start = Number(new URL(url).searchParams.get('start_time'));
    return { values: { 'query.start_time': Math.max(time, start + 1) } };
  }
  if (meta?.has_more === false) return null;
  if (meta?.has_more === undefined) throw pageError(answer, 'has no `meta.has_more`');
  if (typeof meta.after_cursor !== 'string') throw pageError(answer, 'has no `meta.after_cursor`');
  return { values: { 'query.page[after]': meta.after_cursor } };
}

/**
 * Whether a comment belongs to the source. Events of a deleted ticket may still be exported. A request for one ticket needs no
 * look at the list of deleted ones.
 */
export async function isVisible(
  { ticket, public: isPublic }: CommentItem,
  { config, values, lookup }: Scope<ZendeskConfig>,
): Promise<boolean> {
  if (isPublic === false && !config.internal_notes) return false;
  const isOfOne = values['thread'] !== undefined || values['key'] !== undefined;
  return isOfOne || (await lookup('deleted', ticket)) !== true;
}

export const commentRecord: RecordMapping<ZendeskConfig> = {
  text: 'body',
  at: 'created_at',
  author: 'author',
  url: ({ ticket }: CommentItem, scope) => ticketUrl(ticket, scope),
  thread: 'ticket',
  fields: {
    public: 'public',
    files: ({ attachments = [] }: CommentItem) =>
      attachments.length === 0 ? undefined : attachments.map(({ file_name: name }) => name),
  },
};
