import type { Answer, Paging } from '@trove/connector-kit/http';

interface Item {
  readonly created_at?: string;
}

/**
 * Continues a listing in the order of creation with items that were created at or after the last one, because GitLab refuses
 * pages beyond 50,000 items. A page of items with the same time continues with the link.
 */
export const afterLastCreated: Paging = (answer: Answer, items) => {
  const link = nextLink(answer);
  if (link === null) return null;
  const { created_at: last }: Item = Object(items.at(-1));
  const isNew = last !== undefined && last !== new URL(answer.url).searchParams.get(created);
  return isNew ? { values: { [`query.${created}`]: last } } : { url: link };
};

const created = 'created_after';

function nextLink({ headers }: Answer): string | null {
  return /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
}
