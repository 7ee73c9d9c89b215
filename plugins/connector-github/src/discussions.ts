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
const discussionErrors: readonly ErrorRule[] = [
  {
    when: { graphql: ['FORBIDDEN', 'INSUFFICIENT_SCOPES'] },
    do: 'skip',
    say: 'The token lacks the permission "Discussions: read". Add it in the settings of the token, or set `discussions = false`.',
  },
  // Such as "Something went wrong while executing your query".
  { when: ({ body }) => hasErrorsWithoutType(body), do: 'retry' },
];

const shared = { in: 'discussions', errors: discussionErrors } as const;
/** Variables of all queries. */
const ofRepository = {
  owner: (scope: Scope<GitHubConfig>) => repositoryOf(scope).split('/')[0],
  name: (scope: Scope<GitHubConfig>) => repositoryOf(scope).split('/')[1],
};

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
    graphql: {
      query: discussionsQuery,
      variables: { ...ofRepository, order: { field: 'CREATED_AT', direction: 'ASC' } },
    },
    page: { by: 'connection', from: all },
    key: { id: 'number' },
    keep: ['number'],
    // A comment or a reply changes the time of its discussion.
    incremental: {
      by: 'newest-first',
      time: 'updatedAt',
      overlap: '3h',
      send: { graphql: { variables: { order: { field: 'UPDATED_AT', direction: 'DESC' } } } },
    },
    one: {
      graphql: { query: discussionQuery, variables: { ...ofRepository, number: '{key.id}' } },
      item: 'data.repository.discussion',
    },
    ofThread: {
      graphql: { query: discussionQuery, variables: { number: threadNumber } },
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
    graphql: { query: commentsQuery, variables: { ...ofRepository, number: '{number}' } },
    page: { by: 'connection', from: comments },
    items: ({ data }: CommentsAnswer) => withReplies(data.repository.discussion.comments),
    key: 'id',
    complete: { thread: 'number' },
    one: {
      graphql: { query: nodeQuery, variables: { id: '{key.id}' } },
      item: 'data.node',
    },
    ofThread: { graphql: { variables: { number: threadNumber } } },
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
export function graphqlUrl({ config }: Scope<GitHubConfig>): string {
  return `${config.base_url.replace(/\/+$/, '').replace(/\/v3$/, '')}/graphql`;
}

/** Threads are texts, but the variable is a number. */
function threadNumber({ values }: Scope<GitHubConfig>): number {
  return Number(values['thread']);
}

function hasErrorsWithoutType(body: unknown): boolean {
  const { errors }: { readonly errors?: unknown } = Object(body);
  return (
    Array.isArray(errors) && errors.every((error: unknown) => Object(error).type === undefined)
  );
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
