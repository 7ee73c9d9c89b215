import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import type { Addresses } from './addresses.js';
import { commentForm, issueForm, lineCommentForm, releaseForm, reviewForm } from './forms.js';
import { page } from './paging.js';
import { invalid, problem } from './problems.js';
import type { Comment, GithubWorld, Permission } from './world.js';

type Forms = readonly Readonly<Record<string, unknown>>[];

interface Route {
  readonly path: RegExp;
  readonly permission: Permission;
  /** Refuses requests that the repository or the parameters do not allow. */
  readonly refuse?: (world: GithubWorld, query: URLSearchParams) => FakeAnswer | null;
  readonly answer: (context: RouteContext) => Listing | Single;
}

interface RouteContext {
  readonly world: GithubWorld;
  readonly query: URLSearchParams;
  readonly addresses: Addresses;
  /** The number in the path, or 0. */
  readonly id: number;
}

type Listing = { readonly items: Forms };
/** Undefined: 404. */
type Single = { readonly item: unknown };

const routes: readonly Route[] = [
  {
    path: /^\/issues$/,
    permission: 'issues',
    refuse: (world, query) => issuesDisabled(world) ?? invalidState(query) ?? invalidSince(query),
    answer: ({ world, query, addresses }) => {
      const state = query.get('state') ?? 'open';
      const items = [...world.items.values()]
        .filter((item) => world.isVisible(item) && (state === 'all' || item.state === state))
        .map((item) => issueForm(world, item, addresses));
      return { items: changedSince(ordered(items, query), query) };
    },
  },
  {
    path: /^\/issues\/comments$/,
    permission: 'issues',
    refuse: (_world, query) => invalidSince(query),
    answer: ({ world, query, addresses }) => ({
      items: commentList(visible(world, world.comments), query, (comment) =>
        commentForm(comment, world.item(comment.number).isPull, addresses),
      ),
    }),
  },
  {
    path: /^\/issues\/comments\/(\d+)$/,
    permission: 'issues',
    answer: ({ world, addresses, id }) => {
      const comment = world.comments.get(id);
      if (comment === undefined) return { item: undefined };
      return { item: commentForm(comment, world.item(comment.number).isPull, addresses) };
    },
  },
  {
    path: /^\/issues\/(\d+)$/,
    permission: 'issues',
    refuse: issuesDisabled,
    answer: ({ world, addresses, id }) => {
      const item = world.items.get(id);
      if (item === undefined) return { item: undefined };
      return { item: { ...issueForm(world, item, addresses), closed_by: null } };
    },
  },
  {
    // In order of creation. The order cannot be changed.
    path: /^\/issues\/(\d+)\/comments$/,
    permission: 'issues',
    answer: ({ world, query, addresses, id }) => {
      const item = world.items.get(id);
      if (item === undefined) return { item: undefined };
      const items = below(world.comments, id).map((comment) =>
        commentForm(comment, item.isPull, addresses),
      );
      return { items: changedSince(items, query) };
    },
  },
  {
    path: /^\/pulls\/comments$/,
    permission: 'pull_requests',
    answer: ({ world, query, addresses }) => ({
      items: commentList(visible(world, world.lineComments), query, (comment) =>
        lineCommentForm(comment, addresses),
      ),
    }),
  },
  {
    path: /^\/pulls\/comments\/(\d+)$/,
    permission: 'pull_requests',
    answer: ({ world, addresses, id }) => {
      const comment = world.lineComments.get(id);
      return { item: comment && lineCommentForm(comment, addresses) };
    },
  },
  {
    path: /^\/pulls\/(\d+)\/comments$/,
    permission: 'pull_requests',
    answer: ({ world, query, addresses, id }) =>
      world.items.get(id)?.isPull === true
        ? {
            items: commentList(below(world.lineComments, id), query, (comment) =>
              lineCommentForm(comment, addresses),
            ),
          }
        : { item: undefined },
  },
  {
    path: /^\/pulls\/(\d+)\/reviews$/,
    permission: 'pull_requests',
    answer: ({ world, addresses, id }) =>
      world.items.get(id)?.isPull === true
        ? { items: below(world.reviews, id).map((review) => reviewForm(review, addresses)) }
        : { item: undefined },
  },
  {
    // Newest first. Drafts are visible only to people who may write.
    path: /^\/releases$/,
    permission: 'contents',
    answer: ({ world, addresses }) => ({
      items: [...world.releases.values()]
        .filter(({ draft }) => !draft)
        .toReversed()
        .map((release) => releaseForm(release, addresses)),
    }),
  },
  {
    path: /^\/releases\/(\d+)$/,
    permission: 'contents',
    answer: ({ world, addresses, id }) => {
      const release = world.releases.get(id);
      return { item: release && releaseForm(release, addresses) };
    },
  },
];

/** Answers a request below the repository. Null: there is nothing. */
export function repositoryAnswer(
  world: GithubWorld,
  request: FakeRequest,
  rest: string,
  addresses: Addresses,
): FakeAnswer | null {
  const { query } = request;
  for (const { path, permission, refuse, answer } of routes) {
    const match = path.exec(rest);
    if (match === null) continue;
    if (world.isPrivate && !world.permissions.has(permission)) return forbidden(permission);
    const refusal = refuse?.(world, query) ?? null;
    if (refusal !== null) return refusal;
    const found = answer({ world, query, addresses, id: Number(match[1] ?? 0) });
    if ('item' in found) return found.item === undefined ? null : { json: found.item };
    return page(request, found.items, {
      path: `/repositories/${world.repositoryId}${rest}`,
      usesCursors: world.usesCursors,
    });
  }
  return null;
}

function forbidden(permission: Permission): FakeAnswer {
  return problem(403, 'Resource not accessible by personal access token', {
    headers: { 'x-accepted-github-permissions': `${permission}=read` },
  });
}

function issuesDisabled(world: GithubWorld): FakeAnswer | null {
  return world.hasIssues ? null : problem(410, 'Issues has been disabled in this repository.');
}

function invalidState(query: URLSearchParams): FakeAnswer | null {
  const isValid = ['open', 'closed', 'all'].includes(query.get('state') ?? 'open');
  return isValid ? null : invalid('Issue', 'state');
}

function invalidSince(query: URLSearchParams): FakeAnswer | null {
  const since = query.get('since');
  return since === null || !Number.isNaN(Date.parse(since)) ? null : invalid('Issue', 'since');
}

function visible(world: GithubWorld, comments: ReadonlyMap<number, Comment>): Comment[] {
  return [...comments.values()].filter((comment) => world.isVisible(comment));
}

function below<T extends { readonly number: number }>(
  children: ReadonlyMap<number, T>,
  number: number,
): T[] {
  return [...children.values()].filter((child) => child.number === number);
}

function commentList(
  comments: readonly Comment[],
  query: URLSearchParams,
  form: (comment: Comment) => Forms[number],
): Forms {
  const items = comments.map(form);
  // Without `sort`, `direction` has no effect.
  return changedSince(query.has('sort') ? ordered(items, query) : items, query);
}

/** Orders by `sort` and `direction`. Default: by creation, newest first. */
function ordered(items: Forms, query: URLSearchParams): Forms {
  const member = query.get('sort') === 'updated' ? 'updated_at' : 'created_at';
  const sign = query.get('direction') === 'asc' ? 1 : -1;
  const order = (item: Forms[number]): string => `${String(item[member])} ${idOrder(item['id'])}`;
  return items.toSorted((a, b) => (order(a) < order(b) ? -sign : sign));
}

function idOrder(id: unknown): string {
  return String(id).padStart(12, '0');
}

function changedSince(items: Forms, query: URLSearchParams): Forms {
  const since = query.get('since');
  if (since === null) return items;
  return items.filter((item) => Date.parse(String(item['updated_at'])) >= Date.parse(since));
}
