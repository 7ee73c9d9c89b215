import type { RecordParts, Scope } from '@trove/connector-kit/http';

import {
  plainText,
  propertyValues,
  titleOf,
  type Properties,
  type RichText,
} from './properties.js';

/** Times of pages are whole minutes, so a page can change again without another time. */
const minuteMs = 60_000;
const maxNameChars = 80;

/** A page or a row of a database, as the service describes it. */
interface NotionPage {
  readonly id: string;
  readonly url: string;
  readonly created_time: string;
  readonly last_edited_time: string;
  readonly last_edited_by: { readonly id: string };
  readonly in_trash: boolean;
  readonly parent: { readonly type: string; readonly data_source_id?: string };
  readonly properties: Properties;
}

interface DataSource {
  readonly id: string;
  readonly url: string;
  readonly last_edited_time: string;
  readonly title: readonly RichText[];
}

interface Results<T> {
  readonly results: readonly T[];
}

/** The members of a page that documents and records use. */
export interface PageItem {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly edited: string;
  readonly editor: string;
  /** Changes whenever the page may have changed. */
  readonly version: string;
  /** The folder of the page. */
  readonly folder: string;
  readonly isRow: boolean;
  readonly inTrash: boolean;
  readonly fields: ReturnType<typeof propertyValues>;
}

export function pageItems(
  { results }: Results<NotionPage>,
  scope: Scope,
): Promise<readonly PageItem[]> {
  return Promise.all(results.map((page) => pageItem(page, scope)));
}

export async function pageItem(page: NotionPage, scope: Scope): Promise<PageItem> {
  const { id, url, properties, parent, last_edited_time: edited } = page;
  const table = parent.type === 'data_source_id' ? parent.data_source_id : undefined;
  return {
    id,
    url,
    title: titleOf(properties),
    edited,
    editor: page.last_edited_by.id,
    version: versionOf(edited, scope.until),
    folder: table === undefined ? 'pages' : await tableFolder(table, scope),
    isRow: table !== undefined,
    inTrash: page.in_trash,
    fields: propertyValues(properties),
  };
}

/** A version during the last minutes belongs to one sync only. The next sync reads the page again. */
function versionOf(edited: string, now: number): string {
  return now - Date.parse(edited) < 2 * minuteMs ? `${edited} ${now}` : edited;
}

async function tableFolder(id: string, scope: Scope): Promise<string> {
  const title = await scope.lookup('tables', id);
  return folderOf(typeof title === 'string' ? title : '', id);
}

/** The members of a data source that its object uses. */
export function tableItems({ results }: Results<DataSource>): readonly unknown[] {
  return results.map(({ id, url, title, last_edited_time }) => ({
    id,
    url,
    title: plainText(title),
    edited: last_edited_time,
    folder: folderOf(plainText(title), id),
  }));
}

function folderOf(title: string, id: string): string {
  return `databases/${nameOf(title, id)}`;
}

/** Returns the name of a page or database in a path, as in Notion's own exports. */
export function nameOf(title: string, id: string): string {
  const words = title.replaceAll(/[\s/]+/g, ' ').trim();
  const short = Array.from(words).slice(0, maxNameChars).join('').trim();
  return `${short === '' ? 'Untitled' : short} ${id.replaceAll('-', '')}`;
}

export async function rowRecord(
  { title, edited, url, editor, fields }: PageItem,
  { lookup }: Scope,
): Promise<RecordParts> {
  return { title, at: edited, url, author: await lookup('users', editor), fields };
}

interface NotionComment {
  readonly id: string;
  readonly last_edited_time: string;
  readonly created_by: { readonly id: string };
  readonly rich_text: readonly RichText[];
  readonly display_name?: { readonly resolved_name: string | null };
}

/**
 * The record of a comment. All comments of a page are one thread. The page is at hand in a listing of pages, but not for a
 * single thread.
 */
export async function commentRecord(
  comment: NotionComment,
  { parents, values, lookup }: Scope,
): Promise<RecordParts> {
  const { thread } = values;
  const page: Partial<PageItem> = Object(parents['pages'] ?? (await lookup('pages', thread)));
  return {
    title: page.title,
    text: plainText(comment.rich_text),
    at: comment.last_edited_time,
    author: comment.display_name?.resolved_name ?? (await lookup('users', comment.created_by.id)),
    url: page.url,
    thread: page.id,
    threadFields: { page: page.title },
  };
}
