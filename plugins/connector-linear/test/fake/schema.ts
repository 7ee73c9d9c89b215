import { buildSchema, type GraphQLSchema } from 'graphql';

const page = `first: Int, after: String, last: Int, before: String,
  includeArchived: Boolean, orderBy: PaginationOrderBy`;

/** The type of a connection of the service. */
function connectionTo(type: string): string {
  return `type ${type}Connection { nodes: [${type}!]! pageInfo: PageInfo! }`;
}

/** The part of the service's schema that the fake serves. */
export const ownSchema: GraphQLSchema = buildSchema(`
  scalar DateTime
  scalar TimelessDate
  scalar DateTimeOrDuration
  enum PaginationOrderBy { createdAt updatedAt }
  enum ProjectUpdateHealthType { atRisk offTrack onTrack }
  input DateComparator { gte: DateTimeOrDuration gt: DateTimeOrDuration lt: DateTimeOrDuration }
  input IDComparator { eq: ID in: [ID!] }
  input IssueIDComparator { eq: ID in: [ID!] }
  input IssueFilter { id: IssueIDComparator updatedAt: DateComparator and: [IssueFilter!] }
  input NullableIssueFilter { id: IssueIDComparator null: Boolean updatedAt: DateComparator }
  input ProjectFilter { id: IDComparator updatedAt: DateComparator }
  input NullableProjectFilter { id: IDComparator null: Boolean updatedAt: DateComparator }
  input ProjectUpdateFilter { id: IDComparator updatedAt: DateComparator project: ProjectFilter }
  input NullableProjectUpdateFilter {
    id: IDComparator null: Boolean updatedAt: DateComparator project: ProjectFilter
  }
  input DocumentFilter { id: IDComparator updatedAt: DateComparator }
  input CommentFilter {
    id: IDComparator updatedAt: DateComparator issue: NullableIssueFilter
    project: NullableProjectFilter projectUpdate: NullableProjectUpdateFilter
    and: [CommentFilter!] or: [CommentFilter!]
  }
  type Query {
    viewer: User!
    organization: Organization!
    issue(id: String!): Issue!
    issues(${page}, filter: IssueFilter): IssueConnection!
    comment(id: String, hash: String): Comment!
    comments(${page}, filter: CommentFilter): CommentConnection!
    project(id: String!): Project!
    projects(${page}, filter: ProjectFilter): ProjectConnection!
    projectUpdates(${page}, filter: ProjectUpdateFilter): ProjectUpdateConnection!
    document(id: String!): Document!
    documents(${page}, filter: DocumentFilter): DocumentConnection!
    issueLabels(${page}): IssueLabelConnection!
  }
  type PageInfo {
    hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String
  }
  type User { id: ID! name: String! displayName: String! }
  type ActorBot { id: ID name: String }
  type ExternalUser { id: ID! name: String! }
  type Organization { id: ID! name: String! urlKey: String! }
  type Team { id: ID! key: String! name: String! }
  type WorkflowState { id: ID! name: String! type: String! }
  type ProjectStatus { id: ID! name: String! }
  type IssueLabel { id: ID! name: String! }
  type Issue {
    id: ID! identifier: String! previousIdentifiers: [String!]! title: String! description: String
    url: String! createdAt: DateTime! updatedAt: DateTime! archivedAt: DateTime trashed: Boolean
    dueDate: TimelessDate priorityLabel: String! estimate: Float labelIds: [String!]!
    state: WorkflowState! team: Team! project: Project parent: Issue
    assignee: User creator: User botActor: ActorBot
    comments(${page}, filter: CommentFilter): CommentConnection!
  }
  type Comment {
    id: ID! body: String! url: String! createdAt: DateTime! updatedAt: DateTime!
    archivedAt: DateTime quotedText: String parentId: String
    issue: Issue project: Project projectUpdate: ProjectUpdate
    user: User botActor: ActorBot externalUser: ExternalUser
  }
  type Project {
    id: ID! name: String! description: String! content: String url: String!
    createdAt: DateTime! updatedAt: DateTime! archivedAt: DateTime trashed: Boolean
    startDate: TimelessDate targetDate: TimelessDate priorityLabel: String!
    health: ProjectUpdateHealthType status: ProjectStatus! lead: User creator: User
  }
  type ProjectUpdate {
    id: ID! body: String! url: String! createdAt: DateTime! updatedAt: DateTime!
    health: ProjectUpdateHealthType! project: Project! user: User!
  }
  type Document {
    id: ID! title: String! content: String slugId: String! url: String!
    createdAt: DateTime! updatedAt: DateTime! archivedAt: DateTime trashed: Boolean
    creator: User project: Project issue: Issue
  }
  ${['Issue', 'Comment', 'Project', 'ProjectUpdate', 'Document', 'IssueLabel'].map(connectionTo).join('\n')}
`);
