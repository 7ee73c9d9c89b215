import type { Lookup, Scope } from '@trove/connector-kit/http';

import { nameErrors } from './errors.js';

/** A search combines at most 15 values. */
const maxSearchedIds = 15;

/** The names of teammates, teams and contacts, and the workspace. */
export const lookups = {
  workspaces: { get: '/me', value: 'app' },
  admins: { get: '/admins', items: 'admins', key: 'id', value: 'name', errors: nameErrors },
  teams: { get: '/teams', items: 'teams', key: 'id', value: 'name', errors: nameErrors },
  contacts: {
    post: '/contacts/search',
    body: {
      query: { field: 'id', operator: 'IN', value: '{ids}' },
      pagination: { per_page: maxSearchedIds },
    },
    batch: maxSearchedIds,
    items: 'data',
    key: 'id',
    value: ({ name, email }: Named) => name || email,
    errors: nameErrors,
  },
} satisfies Readonly<Record<string, Lookup>>;

interface Named {
  readonly name?: string | null;
  readonly email?: string | null;
}

export interface MessageAuthor extends Named {
  readonly type?: string;
  readonly id?: string | null;
}

/** What conversations and tickets state about people. */
export interface Participants {
  readonly admin_assignee_id?: number | string | null;
  readonly team_assignee_id?: number | string | null;
  readonly contacts?: { readonly contacts?: readonly { readonly id: string }[] } | null;
}

/** The same with names. */
export interface NamedParticipants {
  readonly assignee: unknown;
  readonly team: unknown;
  readonly people: readonly unknown[];
}

export async function namesOf(
  { admin_assignee_id: admin, team_assignee_id: team, contacts }: Participants,
  { lookup }: Pick<Scope, 'lookup'>,
): Promise<NamedParticipants> {
  const ids = contacts?.contacts?.map(({ id }) => id) ?? [];
  const [assigneeName, teamName, ...people] = await Promise.all([
    isAssigned(admin) ? lookup('admins', admin) : undefined,
    isAssigned(team) ? lookup('teams', team) : undefined,
    ...ids.map((id) => lookup('contacts', id)),
  ]);
  return {
    assignee: assigneeName,
    team: teamName,
    people: people.filter((name) => name !== undefined),
  };
}

/** The id 0 stands for no assignee. */
function isAssigned(id: number | string | null | undefined): boolean {
  return id !== null && id !== undefined && String(id) !== '0';
}

export function authorName({ name, email }: MessageAuthor = {}): string | undefined {
  return name || email || undefined;
}
