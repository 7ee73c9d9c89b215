import type { Article, Comment, Ticket, TicketEvent, User, ZendeskWorld } from './world.js';

/** What all forms need besides the item. */
export interface Account {
  readonly world: ZendeskWorld;
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
}

/** Times are whole seconds. */
export function timeForm(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

export function secondsOf(ms: number): number {
  return Math.floor(ms / 1000);
}

export function ticketForm({ origin }: Account, ticket: Ticket): unknown {
  const { id, subject, status, createdAt, updatedAt, generatedAt } = ticket;
  return {
    url: `${origin}/api/v2/tickets/${id}.json`,
    id,
    external_id: null,
    via: { channel: 'email', source: { from: {}, to: {}, rel: null } },
    created_at: timeForm(createdAt),
    updated_at: timeForm(updatedAt),
    generated_timestamp: secondsOf(generatedAt),
    type: 'question',
    subject,
    raw_subject: subject,
    description: ticket.description,
    priority: 'normal',
    status,
    recipient: 'support@acme.example',
    requester_id: ticket.requester,
    submitter_id: ticket.requester,
    assignee_id: ticket.assignee,
    organization_id: 5,
    group_id: 6,
    collaborator_ids: [],
    follower_ids: [],
    tags: ticket.tags,
    custom_fields: [],
    brand_id: 3,
    custom_status_id: 9,
    has_incidents: false,
    is_public: true,
    due_at: null,
  };
}

export function commentForm(account: Account, comment: Comment): unknown {
  return {
    ...textForm(account, comment),
    type: 'Comment',
    audit_id: comment.audit,
    via: { channel: 'web' },
    created_at: timeForm(comment.createdAt),
    metadata: {},
  };
}

/** The members that a comment has in every answer. */
function textForm({ origin }: Account, comment: Comment): Readonly<Record<string, unknown>> {
  const { id, author, body, isPublic, files } = comment;
  return {
    id,
    author_id: author,
    body,
    html_body: `<div class="zd-comment"><p>${body}</p></div>`,
    plain_body: body,
    public: isPublic,
    attachments: files.map((name, at) => ({
      url: `${origin}/api/v2/attachments/${id}${at}.json`,
      id: id * 10 + at,
      file_name: name,
      content_url: `${origin}/attachments/token/${id}/?name=${encodeURIComponent(name)}`,
      content_type: 'text/plain',
      size: 3,
      inline: false,
      deleted: false,
    })),
  };
}

/** A change of a ticket. Its comment has texts only on request. */
export function eventForm(account: Account, event: TicketEvent, hasTexts: boolean): unknown {
  const { id, ticket, updater, at, comment: commentId, status } = event;
  const comment = commentId === null ? undefined : account.world.comments.get(commentId);
  const channel = { via: 'Web form', via_reference_id: null };
  const child =
    comment === undefined
      ? { id: id + 1_000_000, ...channel, event_type: 'Change', status }
      : {
          ...(hasTexts ? textForm(account, comment) : { id: comment.id }),
          ...channel,
          event_type: 'Comment',
          comment_present: true,
          comment_public: comment.isPublic,
        };
  return {
    id,
    ticket_id: ticket,
    timestamp: secondsOf(at),
    created_at: timeForm(at),
    updater_id: updater,
    via: 'Web form',
    system: {},
    metadata: {},
    event_type: 'Audit',
    child_events: [child],
  };
}

export function userForm({ world, origin }: Account, { id, name, email, role }: User): unknown {
  return {
    id,
    url: `${origin}/api/v2/users/${id}.json`,
    name,
    email,
    created_at: timeForm(world.now - 86_400_000),
    updated_at: timeForm(world.now - 86_400_000),
    role,
    active: true,
    verified: true,
    tags: [],
  };
}

export function organizationForm({ origin }: Account, id: number, name: string): unknown {
  return {
    url: `${origin}/api/v2/organizations/${id}.json`,
    id,
    name,
    shared_tickets: false,
    shared_comments: false,
    external_id: null,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    domain_names: [],
    details: null,
    notes: null,
    group_id: null,
    tags: [],
    organization_fields: {},
  };
}

export function articleForm({ origin, world }: Account, article: Article): unknown {
  const { id, title, body, section, isDraft, createdAt, updatedAt } = article;
  return {
    id,
    url: `${origin}/api/v2/help_center/en-us/articles/${id}.json`,
    html_url: `${origin}/hc/en-us/articles/${id}`,
    author_id: world.ann,
    comments_disabled: false,
    draft: isDraft,
    promoted: false,
    position: 0,
    vote_sum: 0,
    vote_count: 0,
    section_id: section,
    created_at: timeForm(createdAt),
    updated_at: timeForm(updatedAt),
    edited_at: timeForm(updatedAt),
    name: title,
    title,
    body,
    source_locale: 'en-us',
    locale: 'en-us',
    outdated: false,
    outdated_locales: [],
    user_segment_id: null,
    permission_group_id: 4,
    content_tag_ids: [],
    label_names: ['setup'],
  };
}

export function sectionForm({ origin, world }: Account, id: number): unknown {
  const { name = '', category = 0 } = world.sections.get(id) ?? {};
  return { ...placeForm(origin, 'sections', id, name), category_id: category, sorting: 'manual' };
}

export function categoryForm({ origin, world }: Account, id: number): unknown {
  return placeForm(origin, 'categories', id, world.categories.get(id) ?? '');
}

function placeForm(
  origin: string,
  kind: string,
  id: number,
  name: string,
): Readonly<Record<string, unknown>> {
  return {
    id,
    url: `${origin}/api/v2/help_center/en-us/${kind}/${id}.json`,
    html_url: `${origin}/hc/en-us/${kind}/${id}`,
    position: 0,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-02T00:00:00Z',
    name,
    description: '',
    locale: 'en-us',
    source_locale: 'en-us',
    outdated: false,
  };
}
