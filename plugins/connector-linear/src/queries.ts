/** A page of a list with the members that its records use. Without `first`, the service counts 50 items at every level. */
function listOf(name: string, filter: string, fields: string): string {
  return `
query($filter: ${filter}, $first: Int!, $after: String) {
  ${name}(filter: $filter, first: $first, after: $after, includeArchived: true, orderBy: createdAt) {
    nodes { ${fields} }
    pageInfo { hasNextPage endCursor }
  }
}`;
}

function oneOf(name: string, fields: string): string {
  return `
query($id: String!) {
  ${name}(id: $id) { ${fields} }
}`;
}

/** The members that a key needs, and those that exclude a record. */
const issueKey = 'id trashed';
const commentKey = 'id issue { id trashed }';
const projectKey = 'id trashed';
const updateKey = 'id project { id trashed }';
const projectCommentKey = `
  id project { id trashed } projectUpdate { project { id trashed } }`;

/** A person, an app, or a person of a connected service such as Slack. */
const author = 'user { displayName } botActor { name } externalUser { name }';

const issue = `
  ${issueKey} identifier previousIdentifiers title description url createdAt updatedAt archivedAt
  dueDate priorityLabel estimate labelIds
  state { name type } team { key } project { name } parent { identifier }
  assignee { displayName } creator { displayName } botActor { name }`;

const comment = `
  ${commentKey} body url createdAt updatedAt quotedText parentId ${author}`;

const project = `
  ${projectKey} name description content url createdAt updatedAt archivedAt
  startDate targetDate priorityLabel health status { name }
  lead { displayName } creator { displayName }`;

const update = `
  ${updateKey} body url createdAt updatedAt health user { displayName }`;

const projectComment = `
  ${projectCommentKey} body url createdAt updatedAt quotedText parentId ${author}`;

const document = `
  id trashed title content slugId url updatedAt archivedAt
  creator { displayName } project { name } issue { identifier }`;

export const issues = listOf('issues', 'IssueFilter', issue);
export const issueKeys = listOf('issues', 'IssueFilter', issueKey);
export const oneIssue = oneOf('issue', issue);

export const comments = listOf('comments', 'CommentFilter', comment);
export const commentKeys = listOf('comments', 'CommentFilter', commentKey);
export const oneComment = oneOf('comment', comment);

export const projects = listOf('projects', 'ProjectFilter', project);
export const projectKeys = listOf('projects', 'ProjectFilter', projectKey);
export const oneProject = oneOf('project', project);

export const updates = listOf('projectUpdates', 'ProjectUpdateFilter', update);
export const updateKeys = listOf('projectUpdates', 'ProjectUpdateFilter', updateKey);

export const projectComments = listOf('comments', 'CommentFilter', projectComment);
export const projectCommentKeys = listOf('comments', 'CommentFilter', projectCommentKey);
export const oneProjectComment = oneOf('comment', projectComment);

export const documents = listOf('documents', 'DocumentFilter', document);
export const oneDocument = oneOf('document', document);

export const labels = `
query($first: Int!, $after: String) {
  issueLabels(first: $first, after: $after, includeArchived: true) {
    nodes { id name }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** The person of the login and the workspace. */
export const login = `
query {
  viewer { displayName }
  organization { name urlKey }
}`;
