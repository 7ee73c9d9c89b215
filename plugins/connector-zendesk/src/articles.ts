import type { DocumentMapping } from '@trove/connector-kit/http';

import type { ZendeskConfig } from './config.js';
import { isRefusal } from './errors.js';

const maxNameChars = 80;

interface Named {
  readonly id: number;
  readonly name: string;
}

interface ZendeskArticle {
  readonly id: number;
  readonly title: string;
  readonly body: string | null;
  readonly draft: boolean;
  readonly author_id?: number;
  readonly section_id: number | null;
}

/** Articles with the sections, categories and users that they name. */
interface ArticleAnswer {
  readonly articles?: readonly ZendeskArticle[];
  readonly article?: ZendeskArticle;
  readonly sections?: readonly (Named & { readonly category_id: number })[];
  readonly categories?: readonly Named[];
  readonly users?: readonly Named[];
}

export interface ArticleItem extends ZendeskArticle {
  readonly section?: string | undefined;
  readonly category?: string | undefined;
  readonly author?: string | undefined;
}

/** Returns the articles of an answer with names in place of ids. Undefined for an answer without a list. */
export function articleItems(answer: ArticleAnswer): readonly ArticleItem[] | undefined {
  const { article, sections = [], categories = [], users = [] } = answer;
  const articles = answer.articles ?? (article === undefined ? undefined : [article]);
  if (articles === undefined) return isRefusal(answer) ? [] : undefined;
  return articles.map((each) => {
    const section = sections.find(({ id }) => id === each.section_id);
    return {
      ...each,
      section: section?.name,
      category: categories.find(({ id }) => id === section?.category_id)?.name,
      author: users.find(({ id }) => id === each.author_id)?.name,
    };
  });
}

export const articleDocument: DocumentMapping<ZendeskConfig> = {
  path: ({ item }) => `articles/${nameOf(Object(item))}.html`,
  identity: 'id',
  title: 'title',
  url: 'html_url',
  author: 'author',
  modifiedAt: 'updated_at',
  mediaType: () => 'text/html',
  fields: {
    category: 'category',
    section: 'section',
    labels: 'label_names',
    locale: 'locale',
  },
};

function nameOf({ id, title }: ZendeskArticle): string {
  const words = title.replaceAll(/[\s/]+/g, ' ').trim();
  const short = Array.from(words).slice(0, maxNameChars).join('').trim();
  return `${id} ${short}`.trim();
}
