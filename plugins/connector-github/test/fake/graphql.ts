import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import { buildSchema, graphql, GraphQLError, type GraphQLSchema } from 'graphql';
import { dateTime } from './addresses.js';
import type { Discussion, DiscussionComment } from './discussions.js';
import { problem } from './problems.js';
import type { GithubWorld } from './world.js';

/** The part of the service's schema that concerns discussions. */
const schema: GraphQLSchema = buildSchema(`
  scalar DateTime
  scalar URI
  enum OrderDirection { ASC DESC }
  enum DiscussionOrderField { CREATED_AT UPDATED_AT }
  input DiscussionOrder { field: DiscussionOrderField! direction: OrderDirection! }
  type Query {
    repository(owner: String!, name: String!, followRenames: Boolean = true): Repository
    node(id: ID!): Node
  }
  interface Node { id: ID! }
  type PageInfo { endCursor: String hasNextPage: Boolean! }
  type Actor { login: String! }
  type Repository {
    discussions(first: Int, after: String, orderBy: DiscussionOrder): DiscussionConnection!
    discussion(number: Int!): Discussion
  }
  type DiscussionConnection { totalCount: Int! pageInfo: PageInfo! nodes: [Discussion] }
  type DiscussionCategory { name: String! }
  type Label { name: String! }
  type LabelConnection { nodes: [Label] }
  type Discussion implements Node {
    id: ID! number: Int! title: String! body: String! url: URI!
    createdAt: DateTime! updatedAt: DateTime! closed: Boolean! isAnswered: Boolean
    author: Actor category: DiscussionCategory! labels(first: Int): LabelConnection
    comments(first: Int, after: String): DiscussionCommentConnection!
  }
  type DiscussionComment implements Node {
    id: ID! body: String! url: URI! createdAt: DateTime! isAnswer: Boolean! author: Actor
    discussion: Discussion replyTo: DiscussionComment
    replies(first: Int, after: String): DiscussionCommentConnection!
  }
  type DiscussionCommentConnection { totalCount: Int! pageInfo: PageInfo! nodes: [DiscussionComment] }
`);

interface Page {
  readonly first?: number;
  readonly after?: string | null;
}

/** Answers a request to `/graphql`. Errors of a query have the status 200. */
export async function graphqlAnswer(world: GithubWorld, request: FakeRequest): Promise<FakeAnswer> {
  if (request.headers['authorization'] === undefined)
    return problem(401, 'This endpoint requires you to be authenticated.', {
      documentation: 'graphql/guides/forming-calls-with-graphql#authenticating-with-graphql',
    });
  const { query: source, variables: variableValues } = bodyOf(request);
  const { data, errors } = await graphql({
    schema,
    source,
    variableValues,
    rootValue: root(world),
  });
  return {
    json: {
      ...(data === undefined ? {} : { data }),
      ...(errors === undefined ? {} : { errors: errors.map(errorForm) }),
    },
  };
}

function bodyOf({ body }: FakeRequest): {
  readonly query: string;
  readonly variables: Record<string, unknown>;
} {
  const { query, variables } = Object(body);
  return { query: String(query), variables: { ...Object(variables) } };
}

/** The service has the type of an error beside its message. */
function errorForm({ message, path, locations, extensions }: GraphQLError): unknown {
  const { type } = extensions;
  return { ...(type === undefined ? {} : { type, path }), locations, message };
}

function refuse(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } });
}

function root(world: GithubWorld): unknown {
  const { discussions } = world;
  return {
    repository: ({ owner, name }: { readonly owner: string; readonly name: string }) => {
      const fullName = `${owner}/${name}`;
      if (fullName !== world.fullName && !world.formerNames.includes(fullName))
        throw refuse('NOT_FOUND', `Could not resolve to a Repository with the name '${fullName}'.`);
      return {
        discussions: ({ orderBy, ...page }: Page & { readonly orderBy?: Order }) => {
          if (!discussions.isAllowed)
            throw refuse('FORBIDDEN', 'Resource not accessible by personal access token');
          const forms = ordered([...discussions.all.values()], orderBy);
          return connection(forms, page, (discussion) => discussionForm(world, discussion));
        },
        discussion: ({ number }: { readonly number: number }) => {
          const discussion = discussions.all.get(number);
          if (discussion === undefined)
            throw refuse(
              'NOT_FOUND',
              `Could not resolve to a Discussion with the number of ${number}.`,
            );
          return discussionForm(world, discussion);
        },
      };
    },
    node: ({ id }: { readonly id: string }) => {
      const comment = [...discussions.comments.values()].find((each) => nodeId(each) === id);
      if (comment === undefined)
        throw refuse('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`);
      return { __typename: 'DiscussionComment', ...commentForm(world, comment) };
    },
  };
}

interface Order {
  readonly field: 'CREATED_AT' | 'UPDATED_AT';
  readonly direction: 'ASC' | 'DESC';
}

function ordered(
  discussions: readonly Discussion[],
  { field, direction }: Order = { field: 'UPDATED_AT', direction: 'DESC' },
): Discussion[] {
  const time = ({ createdAt, updatedAt }: Discussion): number =>
    field === 'CREATED_AT' ? createdAt : updatedAt;
  const sorted = discussions.toSorted((a, b) => time(a) - time(b) || a.number - b.number);
  return direction === 'ASC' ? sorted : sorted.toReversed();
}

function connection<T>(
  items: readonly T[],
  { first, after }: Page,
  form: (item: T) => unknown,
): unknown {
  if (first === undefined || first > 100)
    throw refuse('EXCESSIVE_PAGINATION', 'You must provide a `first` of at most 100.');
  const start = after === undefined || after === null ? 0 : positionOf(after);
  const end = Math.min(items.length, start + first);
  return {
    totalCount: items.length,
    pageInfo: { endCursor: end > start ? cursorOf(end) : null, hasNextPage: end < items.length },
    nodes: items.slice(start, end).map(form),
  };
}

function cursorOf(position: number): string {
  return Buffer.from(`cursor:v2:${position}`).toString('base64');
}

function positionOf(cursor: string): number {
  const [, position] = /^cursor:v2:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString()) ?? [];
  if (position === undefined)
    throw refuse('INVALID_CURSOR_ARGUMENTS', `${cursor} does not appear to be a valid cursor.`);
  return Number(position);
}

function discussionForm(world: GithubWorld, discussion: Discussion): unknown {
  const { number, title, body, user, category, labels, isClosed } = discussion;
  const comments = [...world.discussions.comments.values()].filter(
    (comment) => comment.number === number,
  );
  const top = comments.filter(({ parent }) => parent === null);
  return {
    number,
    title,
    body,
    id: `D_${number}`,
    url: addressOf(world, number),
    createdAt: dateTime(discussion.createdAt),
    updatedAt: dateTime(discussion.updatedAt),
    closed: isClosed,
    isAnswered: comments.some(({ isAnswer }) => isAnswer),
    author: user === null ? null : { login: user },
    category: { name: category },
    labels: { nodes: labels.map((name) => ({ name })) },
    comments: (page: Page) => connection(top, page, (comment) => commentForm(world, comment)),
  };
}

function commentForm(world: GithubWorld, comment: DiscussionComment): Record<string, unknown> {
  const { id, number, parent, body, user, isAnswer, createdAt } = comment;
  const all = [...world.discussions.comments.values()];
  const replies = all.filter((each) => each.parent === id);
  return {
    body,
    isAnswer,
    id: nodeId(comment),
    url: `${addressOf(world, number)}#discussioncomment-${id}`,
    createdAt: dateTime(createdAt),
    author: user === null ? null : { login: user },
    discussion: () => {
      const discussion = world.discussions.all.get(number);
      return discussion === undefined ? null : discussionForm(world, discussion);
    },
    replyTo: () => {
      const first = all.find((each) => each.id === parent);
      return first === undefined ? null : commentForm(world, first);
    },
    replies: (page: Page) => connection(replies, page, (reply) => commentForm(world, reply)),
  };
}

/** The id of a comment for all kinds of nodes. */
export function nodeId({ id }: Pick<DiscussionComment, 'id'>): string {
  return `DC_${Buffer.from(String(id)).toString('base64url')}`;
}

function addressOf(world: GithubWorld, number: number): string {
  return `https://github.com/${world.fullName}/discussions/${number}`;
}
