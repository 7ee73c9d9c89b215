/** What a comment and a reply have in common. */
const message = `
  id body createdAt url isAnswer author { login } replyTo { id } discussion { number }`;

const comment = (replies: number): string => `${message}
  replies(first: ${replies}) { totalCount nodes { ${message} } }`;

const discussion = `
  number title body createdAt updatedAt url closed isAnswered
  author { login } category { name } labels(first: 100) { nodes { name } }`;

/** A page of discussions with their first comments. The service allows half a million nodes per request. */
export const discussionsQuery = `
query($owner: String!, $name: String!, $order: DiscussionOrder!, $after: String) {
  repository(owner: $owner, name: $name) {
    discussions(first: 50, after: $after, orderBy: $order) {
      pageInfo { endCursor hasNextPage }
      nodes { ${discussion}
        comments(first: 30) { totalCount nodes { ${comment(20)} } }
      }
    }
  }
}`;

export const discussionQuery = `
query($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    discussion(number: $number) { ${discussion} }
  }
}`;

/** A page of the comments on a discussion, with up to 100 replies to each. */
export const commentsQuery = `
query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    discussion(number: $number) {
      comments(first: 100, after: $after) {
        pageInfo { endCursor hasNextPage }
        totalCount
        nodes { ${comment(100)} }
      }
    }
  }
}`;

/** A comment or a reply by its id. */
export const nodeQuery = `
query($id: ID!) {
  node(id: $id) { ... on DiscussionComment { ${message} } }
}`;
