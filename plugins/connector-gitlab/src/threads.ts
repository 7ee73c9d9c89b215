import type { ErrorRule, StreamDescription } from '@trove/connector-kit/http';

import { projectOf, type Config } from './config.js';
import { nextPage } from './paging.js';

/** The members of an issue or a merge request that functions use. */
interface Item {
  readonly title: string;
  readonly description: string | null;
  readonly user_notes_count?: number;
}

interface Note {
  readonly id: number;
  readonly noteable_iid: number;
  readonly system: boolean;
  readonly type: string | null;
}

/** The kinds of threads, by their names in the service's paths. */
const kinds = { issues: 'issue', merge_requests: 'merge_request' } as const;
export type Kind = keyof typeof kinds;

/** Messages without a text are not indexed. */
function textOf({ title, description }: Item): string {
  return description === null || description.trim() === '' ? title : description;
}

const message = { at: 'created_at', author: 'author.name' };

/** Skips a list that GitLab refuses, because its feature is disabled or the role of the token is too low. */
export function skipDisabled(feature: string): ErrorRule {
  return {
    when: { status: 403, body: { message: '403 Forbidden' } },
    do: 'skip',
    say: `The ${feature} of the project are disabled, or the token may not read them.`,
  };
}

/** The streams of an object of threads: issues or merge requests, and their notes. */
export function threadStreams(kind: Kind): Readonly<Record<string, StreamDescription<Config>>> {
  return {
    [kind]: {
      in: kind,
      get: `/${kind}`,
      query: { scope: 'all', state: 'all', order_by: 'created_at', sort: 'asc', per_page: 100 },
      page: nextPage,
      items: (answer) => [answer].flat(),
      key: ['iid', 'id'],
      keep: ['iid'],
      errors: [skipDisabled(kind.replace('_', ' '))],
      incremental: {
        by: 'since',
        send: { query: { updated_after: '{since}' } },
        overlap: '10m',
      },
      one: { get: `/${kind}/{key.iid}` },
      ofThread: { get: `/${kind}/{thread}` },
      record: {
        ...message,
        title: 'title',
        url: 'web_url',
        text: textOf,
        thread: 'iid',
        fields: { type: () => kinds[kind] },
        threadFields: {
          number: 'iid',
          state: 'state',
          labels: 'labels',
          assignees: 'assignees[].username',
          milestone: 'milestone.title',
        },
      },
    },
    [`${kind}_notes`]: {
      for: kind,
      // A later run may find that the last note was deleted.
      when: ({ user_notes_count }: Item, { since }) =>
        since !== undefined || user_notes_count !== 0,
      moved: 'updated_at',
      in: kind,
      get: `/${kind}/{iid}/notes`,
      query: { sort: 'asc', order_by: 'created_at', per_page: 100 },
      page: 'link',
      key: { iid: 'noteable_iid', id: 'id' },
      one: { get: `/${kind}/{key.iid}/notes/{key.id}` },
      ofThread: { get: `/${kind}/{thread}/notes` },
      complete: { thread: 'iid' },
      // "changed the description", "added the label bug"
      where: ({ system }: Note) => !system,
      record: {
        ...message,
        text: 'body',
        url: ({ noteable_iid, id }: Note, scope) =>
          `${scope.config.base_url}/${projectOf(scope)}/-/${kind}/${noteable_iid}#note_${id}`,
        thread: 'noteable_iid',
        fields: {
          type: ({ type }: Note) => (type === 'DiffNote' ? 'line_comment' : 'comment'),
          file: 'position.new_path',
          line: 'position.new_line',
        },
      },
    },
  };
}
