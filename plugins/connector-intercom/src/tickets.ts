import type { RecordMapping, Scope } from '@trove/connector-kit/http';

import type { IntercomConfig } from './config.js';
import { partItems, type MessagePart, type PartItem } from './parts.js';
import { namesOf, type NamedParticipants, type Participants } from './people.js';
import { inboxUrl } from './site.js';
import { attributeTexts, isoTime, plainText } from './texts.js';

/** A ticket, as the service describes it. */
interface IntercomTicket extends Participants {
  readonly id: string;
  /** The number that people see. */
  readonly ticket_id: string;
  readonly ticket_attributes?: Readonly<Record<string, unknown>> | null;
  readonly created_at: number;
  readonly ticket_parts?: {
    readonly ticket_parts?: readonly MessagePart[];
    readonly total_count?: number;
  };
}

type NamedTicket = NamedParticipants & IntercomTicket;

const titleName = '_default_title_';
const descriptionName = '_default_description_';

/** Returns the tickets of a page. All look up their names at once, because look-ups of the same time share requests. */
export async function ticketItems(
  { tickets }: { readonly tickets?: readonly IntercomTicket[] },
  scope: Scope,
): Promise<readonly NamedTicket[] | undefined> {
  return tickets && Promise.all(tickets.map((each) => ticketItem(each, scope)));
}

export async function ticketItem(ticket: IntercomTicket, scope: Scope): Promise<NamedTicket> {
  return { ...ticket, ...(await namesOf(ticket, scope)) };
}

export function ticketParts({
  id,
  ticket_parts: parts,
}: IntercomTicket): readonly PartItem[] | undefined {
  return partItems(parts?.ticket_parts, id);
}

/** Whether a ticket contains all its parts. */
export function hasAllParts({ ticket_parts: parts }: IntercomTicket): boolean {
  const { ticket_parts: listed, total_count: count } = parts ?? {};
  return listed !== undefined && count !== undefined && listed.length >= count;
}

/** The description that a ticket begins with. */
export const ticketRecord: RecordMapping<IntercomConfig> = {
  title: titleOf,
  text: (item: NamedTicket) => attributeText(item, descriptionName) || titleOf(item),
  at: 'created_at',
  author: 'people.0',
  url: ({ id }: NamedTicket, scope) => inboxUrl(id, scope),
  thread: 'id',
  threadFields: {
    ticket: 'ticket_id',
    type: 'ticket_type.name',
    category: 'category',
    state: 'ticket_state.internal_label',
    state_category: 'ticket_state.category',
    open: 'open',
    assignee: 'assignee',
    team: 'team',
    people: 'people',
    attributes: ({ ticket_attributes: attributes }: NamedTicket) => {
      const { [titleName]: _title, [descriptionName]: _text, ...others } = attributes ?? {};
      return attributeTexts(others);
    },
    created: ({ created_at: time }: NamedTicket) => isoTime(time),
  },
};

function titleOf(item: NamedTicket): string {
  return `#${item.ticket_id} ${attributeText(item, titleName)}`.trim();
}

function attributeText({ ticket_attributes: attributes }: NamedTicket, name: string): string {
  const value = attributes?.[name];
  return typeof value === 'string' ? plainText(value) : '';
}
