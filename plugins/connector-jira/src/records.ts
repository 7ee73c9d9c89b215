import type { RecordMapping, Scope } from '@trove/connector-kit/http';
import { adfToMarkdown } from '@trove/text/adf';

import type { Attachment, JiraComment, JiraIssue } from './answers.js';
import type { JiraConfig } from './config.js';
import { siteUrl } from './site.js';

/** The fields that a search returns of an issue. */
export const issueFields = [
  'assignee',
  'attachment',
  'comment',
  'components',
  'created',
  'description',
  'duedate',
  'environment',
  'fixVersions',
  'issuetype',
  'labels',
  'parent',
  'priority',
  'project',
  'reporter',
  'resolution',
  'status',
  'summary',
  'updated',
].join(',');

/** The message with which the thread of an issue begins. */
export const issueRecord: RecordMapping<JiraConfig> = {
  title: '{item.key} {fields.summary}',
  // Messages without a text are not indexed.
  text: ({ fields = {} }: JiraIssue) =>
    [fields.description, fields.environment].map(textOf).filter(Boolean).join('\n\n') ||
    fields.summary,
  at: 'fields.created',
  author: 'fields.reporter.displayName',
  url: ({ key }: JiraIssue, scope) => issueUrl(key, scope),
  version: 'fields.updated',
  thread: 'key',
  threadFields: {
    issue: 'key',
    project: 'fields.project.key',
    type: 'fields.issuetype.name',
    status: 'fields.status.name',
    status_category: 'fields.status.statusCategory.name',
    priority: 'fields.priority.name',
    resolution: 'fields.resolution.name',
    assignee: 'fields.assignee.displayName',
    reporter: 'fields.reporter.displayName',
    labels: 'fields.labels',
    components: 'fields.components[].name',
    fix_versions: 'fields.fixVersions[].name',
    parent: 'fields.parent.key',
    due: 'fields.duedate',
    created: ({ fields }: JiraIssue) => utcTime(fields?.created),
    updated: ({ fields }: JiraIssue) => utcTime(fields?.updated),
  },
  attachments: ({ key, fields = {} }: JiraIssue) =>
    (fields.attachment ?? []).map((attachment) => attachmentPath(key, attachment)),
};

export const commentRecord: RecordMapping<JiraConfig> = {
  text: ({ body }: JiraComment) => textOf(body),
  at: 'created',
  author: 'author.displayName',
  url: ({ issue, id }: JiraComment, scope) => `${issueUrl(issue, scope)}?focusedCommentId=${id}`,
  version: 'updated',
  thread: 'issue',
};

/** The path of an attachment below the root of the source. */
export function attachmentPath(issue: string, { id, filename }: Attachment): string {
  const [project = ''] = issue.split('-');
  return `${project}/attachments/${issue}/${id}-${filename.replaceAll('/', '∕')}`;
}

function issueUrl(key: string, scope: Pick<Scope<JiraConfig>, 'config' | 'target'>): string {
  return `${siteUrl(scope)}/browse/${key}`;
}

/** Jira writes times in the time zone of the account. */
function utcTime(time: string | undefined): string | undefined {
  const date = new Date(time ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Cloud has documents. A data centre has wiki text, which stays as it is. */
function textOf(body: unknown): string {
  return typeof body === 'string' ? body : adfToMarkdown(body);
}
