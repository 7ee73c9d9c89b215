import { propertyForm, richText } from './properties.js';
import type { Comment, DataSource, NotionWorld, Page, Parent, User } from './world.js';

type Json = Record<string, unknown>;

/** Times of pages are whole minutes. */
function minute(ms: number): string {
  return new Date(Math.floor(ms / 60_000) * 60_000).toISOString();
}

export function pageForm(world: NotionWorld, page: Page): Json {
  const { id, title, properties, inTrash } = page;
  const isRow = page.parent.type === 'data_source_id';
  const titleForm = { id: 'title', type: 'title', title: richText(title) };
  return {
    object: 'page',
    id,
    ...timesForm(page, page.editedBy),
    cover: null,
    icon: null,
    parent: parentForm(world, page.parent),
    in_trash: inTrash,
    is_archived: false,
    is_locked: false,
    properties: {
      ...Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [
          name,
          propertyForm(name, property, world),
        ]),
      ),
      [isRow ? 'Name' : 'title']: titleForm,
    },
    url: `https://app.notion.com/p/${slug(title)}${compact(id)}`,
    public_url: null,
    archived: inTrash,
  };
}

export function dataSourceForm(world: NotionWorld, source: DataSource): Json {
  const title = { id: 'title', name: 'Name', description: null, type: 'title', title: {} };
  const others = Object.entries(source.schema).map(([name, type]) => [
    name,
    { id: name.toLowerCase(), name, description: null, type, [type]: {} },
  ]);
  return {
    object: 'data_source',
    id: source.id,
    cover: null,
    icon: null,
    ...timesForm(source, world.ann),
    title: richText(source.title),
    description: [],
    is_inline: false,
    properties: { Name: title, ...Object.fromEntries(others) },
    parent: { type: 'database_id', database_id: source.databaseId },
    database_parent: parentForm(world, source.parent),
    url: `https://app.notion.com/p/${compact(source.databaseId)}`,
    public_url: null,
    in_trash: source.inTrash,
    archived: source.inTrash,
  };
}

/** Times of databases have milliseconds. */
export function databaseForm(world: NotionWorld, source: DataSource): Json {
  const exact = (ms: number): string => new Date(ms).toISOString().replace('Z', '+00:00');
  return {
    object: 'database',
    id: source.databaseId,
    title: richText(source.title),
    description: [],
    parent: parentForm(world, source.parent),
    is_inline: false,
    in_trash: source.inTrash,
    is_locked: false,
    created_time: exact(source.createdAt),
    last_edited_time: exact(source.editedAt),
    data_sources: [{ id: source.id, name: source.title }],
    icon: null,
    cover: null,
    url: `https://app.notion.com/p/${compact(source.databaseId)}`,
    public_url: null,
    archived: source.inTrash,
  };
}

export function commentForm(world: NotionWorld, comment: Comment): Json {
  const name = world.users.get(comment.author)?.name ?? null;
  return {
    object: 'comment',
    id: comment.id,
    parent: { type: 'page_id', page_id: comment.pageId },
    discussion_id: comment.discussionId,
    created_time: minute(comment.createdAt),
    last_edited_time: minute(comment.editedAt),
    created_by: { object: 'user', id: comment.author },
    rich_text: richText(comment.text),
    display_name: { type: 'user', resolved_name: name },
  };
}

export function userForm({ id, name, type }: User): Json {
  const workspace = { owner: { type: 'workspace', workspace: true }, workspace_name: 'Acme' };
  const own =
    type === 'bot'
      ? { bot: { ...workspace, workspace_id: 'f0000000-0000-4000-8000-000000000002' } }
      : { person: { email: `${name.toLowerCase()}@example.com` } };
  return { object: 'user', id, name, avatar_url: null, type, ...own };
}

function timesForm(
  { createdAt, editedAt }: Pick<Page, 'createdAt' | 'editedAt'>,
  editor: string,
): Json {
  const user = { object: 'user', id: editor };
  return {
    created_time: minute(createdAt),
    last_edited_time: minute(editedAt),
    created_by: user,
    last_edited_by: user,
  };
}

function parentForm(world: NotionWorld, parent: Parent): Json {
  if (parent.type === 'workspace') return { type: 'workspace', workspace: true };
  const { type, id } = parent;
  const database = type === 'data_source_id' ? world.dataSources.get(id)?.databaseId : undefined;
  return { type, [type]: id, ...(database === undefined ? {} : { database_id: database }) };
}

/** An id as links contain it. */
export function compact(id: string): string {
  return id.replaceAll('-', '');
}

function slug(title: string): string {
  const words = title.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => `${word}-`).join('');
}
