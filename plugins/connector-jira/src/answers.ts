/** Members of Jira's answers that the connector uses. */
interface Named {
  readonly name?: string;
}

interface JiraUser {
  readonly displayName?: string;
}

export interface Project {
  readonly id: string;
  readonly key: string;
  readonly name: string;
}

export interface Attachment {
  readonly id: string;
  readonly filename: string;
}

export interface JiraComment {
  readonly id: string;
  /** The key of its issue, which the connector adds. */
  readonly issue: string;
  readonly body?: unknown;
}

export interface IssueFields {
  readonly summary?: string;
  readonly description?: unknown;
  readonly environment?: unknown;
  readonly created?: string;
  readonly updated?: string;
  readonly duedate?: string | null;
  readonly issuetype?: Named;
  readonly project?: { readonly key?: string };
  readonly status?: Named & { readonly statusCategory?: Named };
  readonly priority?: Named | null;
  readonly resolution?: Named | null;
  readonly assignee?: JiraUser | null;
  readonly reporter?: JiraUser | null;
  readonly labels?: readonly string[];
  readonly components?: readonly Named[];
  readonly fixVersions?: readonly Named[];
  readonly parent?: { readonly key?: string };
  readonly attachment?: readonly Attachment[];
  readonly comment?: { readonly total?: number; readonly comments?: readonly JiraComment[] };
}

export interface JiraIssue {
  readonly id: string;
  readonly key: string;
  readonly fields?: IssueFields;
}
