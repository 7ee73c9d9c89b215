import { TroveError } from '@trove/core';
import type { Lookup, RecordParts, RequestPart, Scope } from '@trove/connector-kit/http';

import type { AsanaSettings } from './config.js';

interface Named {
  readonly gid: string;
  readonly name: string;
}

interface AsanaProject extends Named {
  readonly notes: string;
  readonly archived: boolean;
  readonly created_at: string;
  readonly due_on: string | null;
  readonly owner: Named | null;
  readonly team: Named | null;
  readonly permalink_url: string;
  readonly current_status_update: { readonly gid: string } | null;
}

interface Me {
  readonly data: Named & { readonly workspaces: readonly Named[] };
}

export const pageSize = 100;

const fields = [
  'name',
  'notes',
  'archived',
  'created_at',
  'due_on',
  'owner.name',
  'team.name',
  'permalink_url',
  'current_status_update',
].join(',');

export function workspaceOf({ config, target }: Scope<AsanaSettings>): string {
  return config.workspace ?? target.authority;
}

/** The parameters of a list of projects, with their text if `isWhole`. */
export function projectQuery(isWhole: boolean): NonNullable<RequestPart<AsanaSettings>['query']> {
  return {
    workspace: workspaceOf,
    archived: ({ config }: Scope<AsanaSettings>) => (config.archived ? undefined : false),
    limit: pageSize,
    opt_fields: isWhole ? fields : 'name',
  };
}

/** Whether the configuration names the project or leaves out no projects. */
export function isWanted({ gid, name }: Named, { config }: Scope<AsanaSettings>): boolean {
  const { projects } = config;
  return projects.length === 0 || projects.includes(gid) || projects.includes(name);
}

/** The names of the projects that the source has. */
export const projectNames: Lookup<AsanaSettings> = {
  get: '/projects',
  query: projectQuery(false),
  page: { by: 'cursor', from: 'next_page.offset', more: 'next_page', send: 'query.offset' },
  items: 'data',
  key: 'gid',
  value: (project: Named, scope) => (isWanted(project, scope) ? project.name : undefined),
  // A task of a project that is missing here counts as deleted.
  fresh: true,
};

export function projectRecord(project: AsanaProject): RecordParts {
  const { name, notes, owner, team, current_status_update: update } = project;
  return {
    title: name,
    text: notes.trim() === '' ? name : notes,
    at: project.created_at,
    author: owner?.name,
    url: project.permalink_url,
    fields: {
      name,
      archived: project.archived,
      ...(project.due_on === null ? {} : { due_on: project.due_on }),
      ...(team === null ? {} : { team: team.name }),
      // A new update changes the record, so the next sync lists the updates.
      ...(update === null ? {} : { status_update: update.gid }),
    },
  };
}

/** Names the workspace. Throws for one that the token does not see, because its lists would be empty. */
export function identify({ data }: Me, scope: Scope<AsanaSettings>): string {
  const wanted = workspaceOf(scope);
  const found = data.workspaces.find(({ gid }) => gid === wanted);
  if (found !== undefined) return `Connected to ${found.name} as ${data.name}.`;
  const seen = data.workspaces.map(({ gid, name }) => `asana://${gid} (${name})`);
  throw new TroveError(
    'connector_unhealthy',
    `The token of ${data.name} sees no workspace with the id ${wanted}`,
    { suggestions: seen.length === 0 ? [] : [`Add one that it sees: ${seen.join(', ')}.`] },
  );
}
