import type { ErrorRule, HttpDescription, Lookup, Scope } from '@trove/connector-kit/http';

import { kinds, type Associated } from './kinds.js';

/** Versions of the API are dates. */
export const version = '2026-03';
const maxIds = 100;
/** A token without the scope sees no names. */
const withoutScope: readonly ErrorRule[] = [{ when: { status: 403 }, do: 'absent' }];

interface Named {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly email?: string;
}

interface Association {
  readonly to: readonly { readonly toObjectId: number | string }[];
}

interface Property {
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

/** The properties with the name of a record. */
const nameProperties: Readonly<Record<Associated, readonly string[]>> = {
  companies: ['name'],
  contacts: ['firstname', 'lastname', 'email'],
  deals: ['dealname'],
};

function inputs({ values }: Scope): readonly unknown[] {
  const { ids } = values;
  return Array.isArray(ids) ? ids.map((id: unknown) => ({ id })) : [];
}

function namesOf(kind: Associated): Lookup {
  const properties = nameProperties[kind];
  return {
    post: `/crm/objects/${version}/${kind}/batch/read`,
    body: (scope: Scope) => ({ inputs: inputs(scope), properties }),
    batch: maxIds,
    items: 'results',
    key: 'id',
    value: ({ properties: found }: { readonly properties: Record<string, string | null> }) => {
      const [first, ...others] = properties.flatMap((name) => found[name] ?? []);
      const words = kind === 'contacts' ? [first, ...others.slice(0, -1)] : [first];
      return words.join(' ');
    },
    errors: withoutScope,
  };
}

function associationsOf(from: string, to: Associated): Lookup {
  return {
    post: `/crm/associations/${version}/${from}/${to}/batch/read`,
    body: (scope: Scope) => ({ inputs: inputs(scope) }),
    batch: maxIds,
    items: 'results',
    key: 'from.id',
    value: ({ to: found }: Association) => found.map(({ toObjectId: id }) => String(id)),
    fresh: true,
    errors: withoutScope,
  };
}

/** Labels of the values of a kind's properties, by the name of the property. */
function labelsOf(kind: string): Lookup {
  return {
    get: `/crm/properties/${version}/${kind}`,
    items: 'results',
    key: 'name',
    value: ({ options }: Property) =>
      Object.fromEntries(options.map(({ value, label }) => [value, label])),
    errors: withoutScope,
  };
}

export const lookups: NonNullable<HttpDescription['lookups']> = {
  account: { get: `/account-info/${version}/details`, value: '.', errors: withoutScope },
  /** Whether the token may read a kind. */
  access: {
    get: `/crm/objects/${version}/{id}`,
    query: { limit: 1 },
    value: () => true,
    errors: withoutScope,
  },
  owners: {
    get: `/crm/owners/${version}`,
    query: { limit: 100 },
    page: { by: 'cursor', from: 'paging.next.after', send: 'query.after' },
    items: 'results',
    key: 'id',
    value: ({ firstName, lastName, email }: Named) =>
      [firstName, lastName].filter(Boolean).join(' ') || email,
    errors: withoutScope,
  },
  contacts: namesOf('contacts'),
  companies: namesOf('companies'),
  deals: namesOf('deals'),
  ...Object.fromEntries(
    kinds.flatMap(({ name, associated }) =>
      associated.map((to) => [`${name}_${to}`, associationsOf(name, to)]),
    ),
  ),
  ...Object.fromEntries(
    kinds
      .filter(({ hasLabels }) => hasLabels === true)
      .map(({ name }) => [`${name}_labels`, labelsOf(name)]),
  ),
};
