import type { Article, Conversation, IntercomWorld, Part, Person, Ticket } from './world.js';

/** Times are whole seconds since 1970. */
export function secondsOf(ms: number): number {
  return Math.floor(ms / 1000);
}

const workspaceId = 'acme1234';

function authorForm({ id, type, name, email }: Person): unknown {
  return { type, id, name, email };
}

function fileForm(name: string): unknown {
  return {
    type: 'upload',
    name,
    url: `https://files.example/${encodeURIComponent(name)}?expires=1`,
    content_type: 'text/plain',
    filesize: 3,
    width: 0,
    height: 0,
  };
}

function contactsForm({ id }: Person): unknown {
  return { type: 'contact.list', contacts: [{ type: 'contact', id, external_id: null }] };
}

export function conversationForm(conversation: Conversation): Readonly<Record<string, unknown>> {
  const { id, title, subject, body, contact, assignee, isOpen, files, isRedacted } = conversation;
  return {
    type: 'conversation',
    id,
    title,
    created_at: secondsOf(conversation.createdAt),
    updated_at: secondsOf(conversation.updatedAt),
    waiting_since: null,
    snoozed_until: null,
    source: {
      type: 'conversation',
      id: `source${id}`,
      delivered_as: 'customer_initiated',
      subject,
      body,
      author: authorForm(contact),
      attachments: files.map(fileForm),
      url: null,
      redacted: isRedacted,
    },
    contacts: contactsForm(contact),
    first_contact_reply: null,
    admin_assignee_id: assignee === null ? 0 : Number(assignee.id),
    team_assignee_id: 500,
    open: isOpen,
    state: isOpen ? 'open' : 'closed',
    read: false,
    tags: {
      type: 'tag.list',
      tags: conversation.tags.map((name, at) => ({ type: 'tag', id: String(at + 1), name })),
    },
    priority: 'none',
    sla_applied: null,
    statistics: null,
    conversation_rating: null,
    teammates: null,
    custom_attributes: conversation.attributes,
    topics: {},
    linked_objects: { type: 'list', data: [], total_count: 0, has_more: false },
    ai_agent: null,
    ai_agent_participated: false,
  };
}

/** A single conversation has its parts: the most recent ones. */
export function fullConversationForm(
  { maxParts }: IntercomWorld,
  conversation: Conversation,
): Readonly<Record<string, unknown>> {
  const { parts } = conversation;
  return {
    ...conversationForm(conversation),
    conversation_parts: {
      type: 'conversation_part.list',
      conversation_parts: parts.slice(-maxParts).map((part) => partForm('conversation_part', part)),
      total_count: parts.length,
    },
  };
}

function partForm(kind: string, part: Part): unknown {
  const { id, type, body, author, createdAt, files, isRedacted } = part;
  return {
    type: kind,
    id,
    part_type: type,
    body,
    created_at: secondsOf(createdAt),
    updated_at: secondsOf(createdAt),
    notified_at: secondsOf(createdAt),
    assigned_to: null,
    author: authorForm(author),
    attachments: files.map(fileForm),
    external_id: null,
    redacted: isRedacted,
  };
}

export function ticketForm({ maxParts }: IntercomWorld, ticket: Ticket): unknown {
  const { id, number, title, description, attributes, contact, assignee, isOpen, parts } = ticket;
  return {
    type: 'ticket',
    id,
    ticket_id: number,
    category: 'Customer',
    ticket_attributes: {
      _default_title_: title,
      _default_description_: description,
      ...attributes,
    },
    ticket_state: {
      type: 'ticket_state',
      id: '12',
      category: isOpen ? 'in_progress' : 'resolved',
      internal_label: isOpen ? 'In progress' : 'Resolved',
      external_label: isOpen ? 'In progress' : 'Resolved',
    },
    ticket_type: {
      type: 'ticket_type',
      id: '100',
      name: 'Bug',
      description: 'Something is broken.',
      icon: '🪲',
      workspace_id: workspaceId,
      archived: false,
      created_at: 1_700_000_000,
      updated_at: 1_700_000_000,
      is_internal: false,
      ticket_type_attributes: { type: 'list', data: [] },
      category: 'Customer',
    },
    contacts: contactsForm(contact),
    admin_assignee_id: assignee === null ? 0 : Number(assignee.id),
    team_assignee_id: 0,
    created_at: secondsOf(ticket.createdAt),
    updated_at: secondsOf(ticket.updatedAt),
    ticket_parts: {
      type: 'ticket_part.list',
      ticket_parts: parts.slice(-maxParts).map((part) => partForm('ticket_part', part)),
      total_count: parts.length,
    },
    open: isOpen,
    linked_objects: { type: 'list', data: [], total_count: 0, has_more: false },
    is_shared: true,
  };
}

export function articleForm({ ann }: IntercomWorld, article: Article): unknown {
  const { id, title, body, collection, isDraft } = article;
  return {
    type: 'article',
    id,
    workspace_id: workspaceId,
    parent_ids: collection === null ? [] : [Number(collection)],
    tags: { type: 'tag.list', tags: [] },
    title,
    description: '',
    body,
    author_id: Number(ann.id),
    state: isDraft ? 'draft' : 'published',
    created_at: secondsOf(article.createdAt),
    updated_at: secondsOf(article.updatedAt),
    url: isDraft ? null : `https://help.acme.example/en/articles/${id}`,
    default_locale: 'en',
  };
}

export function internalArticleForm({ ann }: IntercomWorld, article: Article): unknown {
  const { id, title, body, createdAt, updatedAt } = article;
  return {
    type: 'internal_article',
    id,
    title,
    body,
    owner_id: Number(ann.id),
    author_id: Number(ann.id),
    created_at: secondsOf(createdAt),
    updated_at: secondsOf(updatedAt),
    locale: 'en',
  };
}

export function collectionForm(
  id: string,
  { name, parent }: { readonly name: string; readonly parent: string | null },
): unknown {
  return {
    id,
    workspace_id: workspaceId,
    name,
    url: `https://help.acme.example/en/collections/${id}`,
    order: 1,
    created_at: 1_700_000_000,
    updated_at: 1_700_000_000,
    description: null,
    icon: 'bookmark',
    parent_id: parent,
    help_center_id: 79,
  };
}

export function adminForm({ id, name, email }: Person): Readonly<Record<string, unknown>> {
  return {
    type: 'admin',
    id,
    name,
    email,
    away_mode_enabled: false,
    away_mode_reassign: false,
    has_inbox_seat: true,
    team_ids: [],
  };
}

export function meForm({ ann }: IntercomWorld): unknown {
  return {
    ...adminForm(ann),
    email_verified: true,
    app: {
      type: 'app',
      id_code: workspaceId,
      name: 'Acme',
      created_at: 1_700_000_000,
      secure: false,
      identity_verification: false,
      timezone: 'Europe/Dublin',
      region: 'EU',
    },
    avatar: { type: 'avatar', image_url: 'https://files.example/ann.png' },
  };
}

export function contactForm({ id, name, email }: Person): unknown {
  return {
    type: 'contact',
    id,
    workspace_id: workspaceId,
    external_id: null,
    role: 'user',
    name,
    email,
    created_at: 1_700_000_000,
    updated_at: 1_700_000_000,
  };
}
