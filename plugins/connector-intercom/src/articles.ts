import type { DocumentMapping, Scope } from '@trove/connector-kit/http';

import { isRefusal } from './errors.js';
import { firstWords } from './texts.js';

/** A public article of the help center, or an internal one. */
interface IntercomArticle {
  readonly id: string;
  readonly title?: string | null;
  readonly body?: string | null;
  readonly state?: string;
  readonly author_id?: number | string | null;
  readonly owner_id?: number | string | null;
  readonly parent_ids?: readonly (number | string)[] | null;
}

interface PlacedArticle extends IntercomArticle {
  readonly author: unknown;
  /** The names of the collections that contain the article, from the outermost one. */
  readonly folders: readonly string[];
}

/** What the look-up of collections returns. */
interface HelpCollection {
  readonly name?: string;
  readonly parent_id?: number | string | null;
}

const maxDepth = 20;

/** Returns the articles of a page. Undefined for an answer without a list. */
export async function articleItems(
  answer: { readonly data?: readonly IntercomArticle[] },
  scope: Scope,
): Promise<readonly PlacedArticle[] | undefined> {
  const { data } = answer;
  if (data === undefined) return isRefusal(answer) ? [] : undefined;
  return Promise.all(data.map((each) => articleItem(each, scope)));
}

export async function articleItem(
  article: IntercomArticle,
  { lookup }: Scope,
): Promise<PlacedArticle> {
  const folders: string[] = [];
  let id = article.parent_ids?.[0];
  for (let depth = 0; id !== undefined && id !== null && depth < maxDepth; depth++) {
    const { name, parent_id: parent }: HelpCollection = Object(await lookup('collections', id));
    if (name !== undefined) folders.unshift(name);
    id = parent ?? undefined;
  }
  const author = await lookup('admins', article.author_id ?? article.owner_id);
  return { ...article, author, folders };
}

export function isPublished({ state }: PlacedArticle): boolean {
  return state === 'published';
}

/** The document of an article below a folder. */
export function articleDocument(folder: string): DocumentMapping {
  return {
    path: ({ item }) => pathOf(folder, Object(item)),
    identity: 'id',
    title: 'title',
    url: 'url',
    author: 'author',
    modifiedAt: 'updated_at',
    mediaType: () => 'text/html',
    fields: {
      collection: ({ folders }: PlacedArticle) => (folders.length === 0 ? undefined : folders),
      description: ({ description }: { readonly description?: string | null }) =>
        description || undefined,
      locale: ({ default_locale, locale }: LocalizedArticle) => default_locale ?? locale,
    },
  };
}

interface LocalizedArticle {
  readonly default_locale?: string;
  readonly locale?: string;
}

export function articleBody({ body }: PlacedArticle): string {
  return body ?? '';
}

function pathOf(folder: string, { folders, title }: PlacedArticle): string {
  const names = [...folders, firstWords(title ?? '') ?? 'Untitled'];
  return `${folder}/${names.map(nameOf).join('/')}.html`;
}

/** Returns a title as the name of one level of the tree. */
function nameOf(title: string): string {
  return title.replaceAll('/', '∕').replaceAll(/\s+/g, ' ').trim() || 'Untitled';
}
