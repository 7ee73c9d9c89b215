import type { Answer, PageChange } from '@trove/connector-kit/http';

/** GitLab refuses pages of later items. */
const maxOffset = 50_000;
const created = 'created_after';

interface Item {
  readonly created_at?: string;
}

/**
 * Continues a listing in the order of creation with its next page. Before the last page that GitLab allows, it continues with
 * the items that were created at or after the last one, which starts the pages over.
 */
export function nextPage(answer: Answer, items: readonly unknown[]): PageChange | null {
  const link = nextLink(answer);
  if (link === null) return null;
  const { searchParams } = new URL(link);
  const end = Number(searchParams.get('page')) * Number(searchParams.get('per_page'));
  if (end <= maxOffset) return { url: link };
  const { created_at: last }: Item = Object(items.at(-1));
  return last === undefined ? { url: link } : { values: { [`query.${created}`]: last } };
}

function nextLink({ headers }: Answer): string | null {
  return /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
}
