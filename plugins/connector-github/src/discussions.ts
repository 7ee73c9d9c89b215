import type { ErrorRule, Scope, StreamDescription } from '@trove/connector-kit/http';

import { repositoryOf, type GitHubConfig } from './config.js';
import { commentsQuery, discussionQuery, discussionsQuery, nodeQuery } from './queries.js';

/** A comment on a discussion, or a reply to one. */
interface Comment {
  readonly id: string;
  readonly isAnswer: boolean;
  readonly replyTo: { readonly id: string } | null;
  readonly replies?: Connection<Comment>;
}

interface Connection<T> {
  readonly totalCount: number;
  readonly nodes: readonly T[];
}

/** The members of a repository that the connector uses. */
export interface GitHubRepository {
  readonly has_issues: boolean;
  readonly has_discussions: boolean;
}

interface Discussion {
  readonly comments: Connection<Comment>;
}

const all = 'data.repository.discussions';
const comments = 'data.repository.discussion.comments';

/** The service answers with these in a body of status 200. */
const errors: readonly ErrorRule[] = [
  {
    when: { body: { 'errors.0.type': ['FORBIDDEN', 'INSUFFICIENT_SCOPES'] } },
    do: 'skip',
    say: 'The token lacks the permission "Discussions: read". Add it in the settings of the token, or set `discussions = false`.',
  },
  { when: { body: { 'errors.0.type': 'NOT_FOUND' } }, do: 'absent' },
  { when: { body: { 'errors.0.type': 'RATE_LIMITED' } }, do: 'wait' },
  // Such as "Something went wrong while executing your query". It has no type.
  { when: ({ body }) => Array.isArray(Object(body).errors), do: 'retry' },
];

const shared = {
  in: 'discussions',
  post: ({ config }: Scope<GitHubConfig>) => graphqlUrl(config.base_url),
  errors,
} as const;

const message = { text: 'body', at: 'createdAt', author: 'author.login', url: 'url' };

/** The streams of the discussions of a repository. The service offers them only through GraphQL. */
export const discussionStreams: Readonly<Record<string, StreamDescription<GitHubConfig>>> = {
  repository: {
    get: '',
    items: (repository) => [repository],
    // GraphQL refuses requests without a token.
    where: ({ has_discussions: hasDiscussions }: GitHubRepository, { config }) =>
      hasDiscussions && config.discussions && config.token !== undefined,
    keep: [],
  },
  discussions: {
    ...shared,
    for: 'repository',
    // In the order of changes, a discussion that changes during a full listing would move, and another one would be left out.
    body: (scope: Scope<GitHubConfig>) =>
      ask(discussionsQuery, scope, {
        order:
          scope.since === undefined
            ? { field: 'CREATED_AT', direction: 'ASC' }
            : { field: 'UPDATED_AT', direction: 'DESC' },
      }),
    page: {
      by: 'cursor',
      from: `${all}.pageInfo.endCursor`,
      more: `${all}.pageInfo.hasNextPage`,
      send: 'body.variables.after',
    },
    items: `${all}.nodes`,
    key: { id: 'number' },
    keep: ['number'],
    // A comment or a reply changes the time of its discussion.
    incremental: { by: 'newest-first', time: 'updatedAt', overlap: '3h' },
    one: {
      body: (scope: Scope<GitHubConfig>) =>
        ask(discussionQuery, scope, { number: Number(Object(scope.values['key']).id) }),
      item: 'data.repository.discussion',
    },
    ofThread: {
      body: (scope: Scope<GitHubConfig>) =>
        ask(discussionQuery, scope, { number: Number(scope.values['thread']) }),
      items: 'data.repository.discussion',
    },
    record: {
      ...message,
      title: 'title',
      text: ({ title, body }: { readonly title: string; readonly body: string }) =>
        body.trim() === '' ? title : body,
      thread: 'number',
      fields: { type: () => 'discussion' },
      threadFields: {
        number: 'number',
        state: ({ closed }: { readonly closed: boolean }) => (closed ? 'closed' : 'open'),
        category: 'category.name',
        labels: 'labels.nodes[].name',
        answered: 'isAnswered',
      },
    },
  },
  discussion_comments: {
    ...shared,
    for: 'discussions',
    moved: 'updatedAt',
    embedded: {
      items: (discussion: Discussion) => withReplies(discussion.comments),
      isComplete: (discussion: Discussion) => isComplete(discussion.comments),
    },
    body: (scope: Scope<GitHubConfig>) =>
      ask(commentsQuery, scope, { number: Number(Object(scope.item).number) }),
    page: {
      by: 'cursor',
      from: `${comments}.pageInfo.endCursor`,
      more: `${comments}.pageInfo.hasNextPage`,
      send: 'body.variables.after',
    },
    items: ({ data }: CommentsAnswer) => withReplies(data.repository.discussion.comments),
    key: 'id',
    complete: { thread: 'number' },
    one: {
      body: ({ values }: Scope<GitHubConfig>) => ({
        query: nodeQuery,
        variables: { id: Object(values['key']).id },
      }),
      item: 'data.node',
    },
    ofThread: {
      body: (scope: Scope<GitHubConfig>) =>
        ask(commentsQuery, scope, { number: Number(scope.values['thread']) }),
    },
    record: {
      ...message,
      thread: 'discussion.number',
      fields: {
        type: ({ isAnswer, replyTo }: Comment) =>
          isAnswer ? 'answer' : replyTo === null ? 'comment' : 'reply',
      },
    },
  },
};

interface CommentsAnswer {
  readonly data: {
    readonly repository: { readonly discussion: { readonly comments: Connection<Comment> } };
  };
}

/** GitHub Enterprise Server has its REST API at `/api/v3` and GraphQL at `/api/graphql`. */
function graphqlUrl(baseUrl: string): string {
  return `${baseUrl.replace(/\/+$/, '').replace(/\/v3$/, '')}/graphql`;
}

function ask(
  query: string,
  scope: Scope<GitHubConfig>,
  variables: Readonly<Record<string, unknown>>,
): unknown {
  const [owner, name] = repositoryOf(scope).split('/');
  return { query, variables: { owner, name, ...variables } };
}

function withReplies({ nodes }: Connection<Comment>): readonly Comment[] {
  return nodes.flatMap((comment) => [comment, ...(comment.replies?.nodes ?? [])]);
}

function isComplete({ totalCount, nodes }: Connection<Comment>): boolean {
  return (
    totalCount <= nodes.length &&
    nodes.every(({ replies }) => (replies?.totalCount ?? 0) <= (replies?.nodes.length ?? 0))
  );
}
