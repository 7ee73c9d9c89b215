import type { StreamDescription } from '@trove/connector-kit/http';

import type { LinearSettings } from './config.js';
import {
  commentAuthor,
  commentText,
  commentType,
  documentText,
  isArchived,
  isOfGoneProject,
  issueAuthor,
  issueText,
  labelsOf,
  projectIdOf,
  projectText,
} from './items.js';
import * as queries from './queries.js';

type Streams = Readonly<Record<string, StreamDescription<LinearSettings>>>;

/** A query may cost 10,000 points. An issue costs about 10, and its key a fraction of one. */
const first = 100;
const firstKeys = 250;

const since = {
  by: 'since',
  send: { graphql: { variables: { filter: { updatedAt: { gte: '{since}' } } } } },
  overlap: '10m',
} as const;

const times = { at: 'createdAt', version: 'updatedAt', url: 'url' };
const comment = {
  ...times,
  text: commentText,
  author: commentAuthor,
  fields: { type: commentType },
};

export const issueStreams: Streams = {
  issues: {
    in: 'issues',
    graphql: { query: queries.issues, variables: { first } },
    page: { by: 'connection', from: 'data.issues' },
    key: 'id',
    isGone: 'trashed',
    keysOnly: { graphql: { query: queries.issueKeys, variables: { first: firstKeys } } },
    incremental: since,
    one: {
      graphql: { query: queries.oneIssue, variables: { id: '{key.id}' } },
      item: 'data.issue',
    },
    ofThread: {
      graphql: { query: queries.oneIssue, variables: { id: '{thread}' } },
      items: 'data.issue',
    },
    record: {
      ...times,
      title: '{identifier} {title}',
      text: issueText,
      author: issueAuthor,
      // The identifier changes when the issue moves to another team.
      thread: 'id',
      fields: { type: () => 'issue' },
      threadFields: {
        identifier: 'identifier',
        previous_identifiers: 'previousIdentifiers',
        team: 'team.key',
        state: 'state.name',
        state_type: 'state.type',
        priority: 'priorityLabel',
        labels: labelsOf,
        assignee: 'assignee.displayName',
        project: 'project.name',
        parent: 'parent.identifier',
        estimate: 'estimate',
        due_date: 'dueDate',
        archived: isArchived,
      },
    },
  },
  comments: {
    in: 'issues',
    // A comment does not change the time of its issue.
    graphql: {
      query: queries.comments,
      variables: { first, filter: { issue: { null: false } } },
    },
    page: { by: 'connection', from: 'data.comments' },
    key: 'id',
    isGone: 'issue.trashed',
    keysOnly: { graphql: { query: queries.commentKeys, variables: { first: firstKeys } } },
    incremental: since,
    one: {
      graphql: { query: queries.oneComment, variables: { id: '{key.id}' } },
      item: 'data.comment',
    },
    ofThread: { graphql: { variables: { filter: { issue: { id: { eq: '{thread}' } } } } } },
    record: { ...comment, thread: 'issue.id' },
  },
};

export const projectStreams: Streams = {
  projects: {
    in: 'projects',
    graphql: { query: queries.projects, variables: { first } },
    page: { by: 'connection', from: 'data.projects' },
    key: 'id',
    isGone: 'trashed',
    keysOnly: { graphql: { query: queries.projectKeys, variables: { first: firstKeys } } },
    incremental: since,
    one: {
      graphql: { query: queries.oneProject, variables: { id: '{key.id}' } },
      item: 'data.project',
    },
    ofThread: {
      graphql: { query: queries.oneProject, variables: { id: '{thread}' } },
      items: 'data.project',
    },
    record: {
      ...times,
      title: 'name',
      text: projectText,
      author: 'creator.displayName',
      thread: 'id',
      fields: { type: () => 'project' },
      threadFields: {
        project: 'name',
        state: 'status.name',
        health: 'health',
        priority: 'priorityLabel',
        lead: 'lead.displayName',
        start_date: 'startDate',
        target_date: 'targetDate',
        archived: isArchived,
      },
    },
  },
  project_updates: {
    in: 'projects',
    graphql: { query: queries.updates, variables: { first } },
    page: { by: 'connection', from: 'data.projectUpdates' },
    key: 'id',
    isGone: 'project.trashed',
    keysOnly: { graphql: { query: queries.updateKeys, variables: { first: firstKeys } } },
    incremental: since,
    ofThread: { graphql: { variables: { filter: { project: { id: { eq: '{thread}' } } } } } },
    record: {
      ...times,
      text: 'body',
      author: 'user.displayName',
      thread: 'project.id',
      fields: { type: () => 'update', health: 'health' },
    },
  },
  project_comments: {
    in: 'projects',
    graphql: {
      query: queries.projectComments,
      variables: {
        first,
        filter: { or: [{ project: { null: false } }, { projectUpdate: { null: false } }] },
      },
    },
    page: { by: 'connection', from: 'data.comments' },
    key: 'id',
    isGone: isOfGoneProject,
    keysOnly: { graphql: { query: queries.projectCommentKeys, variables: { first: firstKeys } } },
    incremental: since,
    one: {
      graphql: { query: queries.oneProjectComment, variables: { id: '{key.id}' } },
      item: 'data.comment',
    },
    ofThread: {
      graphql: {
        variables: {
          filter: {
            or: [
              { project: { id: { eq: '{thread}' } } },
              { projectUpdate: { project: { id: { eq: '{thread}' } } } },
            ],
          },
        },
      },
    },
    record: { ...comment, thread: projectIdOf },
  },
};

export const documentStreams: Streams = {
  documents: {
    // The texts come with the list.
    graphql: { query: queries.documents, variables: { first: 50 } },
    page: { by: 'connection', from: 'data.documents' },
    isGone: 'trashed',
    keep: ['id', 'content'],
    incremental: since,
    one: {
      graphql: { query: queries.oneDocument, variables: { id: '{identity}' } },
      item: 'data.document',
    },
    document: {
      path: 'documents/{title} {slugId}.md',
      identity: 'id',
      title: 'title',
      url: 'url',
      author: 'creator.displayName',
      modifiedAt: 'updatedAt',
      mediaType: () => 'text/markdown',
      fields: { project: 'project.name', issue: 'issue.identifier' },
    },
    read: { inItem: true, text: documentText, mediaType: () => 'text/markdown' },
  },
};
