import type { RecordMapping, Scope } from '@trove/connector-kit/http';

import type { ZendeskConfig } from './config.js';
import { isRefusal } from './errors.js';
import { ticketUrl } from './site.js';

/** A ticket, as the service describes it. */
interface ZendeskTicket {
  readonly id: number;
  readonly subject: string | null;
  readonly description: string | null;
  readonly status: string;
  readonly priority: string | null;
  readonly type: string | null;
  readonly tags: readonly string[];
  readonly via?: { readonly channel?: string };
  readonly requester_id: number | null;
  readonly assignee_id?: number | null;
  readonly organization_id?: number | null;
  readonly group_id?: number | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly due_at?: string | null;
}

/** A ticket with names in place of ids. */
export interface TicketItem extends ZendeskTicket {
  readonly requester: unknown;
  readonly assignee: unknown;
  readonly organization: unknown;
  readonly group: unknown;
}

/**
 * Returns the tickets of an answer. All look up their names at once, because look-ups of the same time share requests. Undefined
 * for an answer without a list.
 */
export async function ticketItems(
  answer: { tickets?: readonly ZendeskTicket[]; ticket?: ZendeskTicket },
  scope: Scope,
): Promise<readonly TicketItem[] | undefined> {
  const { tickets, ticket } = answer;
  const all = ticket === undefined ? tickets : [ticket];
  if (all === undefined) return isRefusal(answer) ? [] : undefined;
  return Promise.all(all.map((each) => ticketItem(each, scope)));
}

export async function ticketItem(ticket: ZendeskTicket, scope: Scope): Promise<TicketItem> {
  const { requester_id, assignee_id, organization_id, group_id } = ticket;
  const isGone = isDeleted(ticket);
  const find = (name: string, id: unknown): Promise<unknown> =>
    isGone ? Promise.resolve(undefined) : scope.lookup(name, id);
  const [requester, assignee, organization, group] = await Promise.all([
    find('users', requester_id),
    find('users', assignee_id),
    find('organizations', organization_id),
    find('groups', group_id),
  ]);
  return { ...ticket, requester, assignee, organization, group };
}

export function isDeleted({ status }: Pick<ZendeskTicket, 'status'>): boolean {
  return status === 'deleted';
}

/**
 * The message with which the thread of a ticket begins. Its text is the subject, because the description repeats the first
 * comment.
 */
export const ticketRecord: RecordMapping<ZendeskConfig> = {
  title: ({ id, subject }: TicketItem) => `#${id} ${subject ?? ''}`.trim(),
  text: ({ subject, description }: TicketItem) => subject || description,
  at: 'created_at',
  author: 'requester',
  url: ({ id }: TicketItem, scope) => ticketUrl(id, scope),
  thread: 'id',
  threadFields: {
    ticket: 'id',
    status: 'status',
    priority: 'priority',
    type: 'type',
    tags: 'tags',
    channel: 'via.channel',
    requester: 'requester',
    assignee: 'assignee',
    organization: 'organization',
    group: 'group',
    created: 'created_at',
    updated: 'updated_at',
    due: 'due_at',
  },
};
