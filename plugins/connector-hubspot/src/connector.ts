import {
  defineHttpConnector,
  type ErrorRule,
  type ObjectDescription,
  type Scope,
  type StreamDescription,
} from '@trove/connector-kit/http';

import { configSchema, type HubspotConfig } from './config.js';
import { kinds, type HubspotKind } from './kinds.js';
import { lookups, version } from './lookups.js';
import { recordItem, recordItems, recordOf, type HubspotItem } from './records.js';
import { afterPlace, propertiesOf, searchBody } from './search.js';
import { setup } from './setup.js';

const missingScope = 'The token lacks the scope {errors.0.context.requiredGranularScopes.0}.';

const errors: readonly ErrorRule[] = [
  {
    when: { body: { category: 'MISSING_SCOPES' } },
    do: 'fail',
    code: 'missing_scope',
    say: missingScope,
  },
  {
    when: { status: [401, 530] },
    do: 'login',
    code: 'login_refused',
    say: 'HubSpot does not accept the token: {message}',
  },
];

function objectOf({ name }: HubspotKind): ObjectDescription<HubspotConfig> {
  return {
    path: name,
    kind: name === 'emails' ? 'message_stream' : 'record_collection',
    title: () => `${name[0]?.toUpperCase()}${name.slice(1)}`,
    skip: async (_item, { lookup }) =>
      (await lookup('access', name)) === true ? '' : `The token may not read ${name}.`,
    // Nothing reports a merge before 2023 or a deletion by law.
    countEvery: '1d',
  };
}

function streamOf(kind: HubspotKind): StreamDescription<HubspotConfig> {
  const { name } = kind;
  const objects = `/crm/objects/${version}/${name}`;
  return {
    post: `${objects}/search`,
    body: (scope: Scope<HubspotConfig>) => searchBody(kind, scope),
    page: {
      by: 'keyset',
      from: 'id',
      send: afterPlace,
      more: 'paging.next.after',
      moreOptional: true,
    },
    items: (body: Parameters<typeof recordItems>[1], scope) => recordItems(kind, body, scope),
    itemsRequired: true,
    in: name,
    key: 'id',
    record: (item: HubspotItem, { config }) => recordOf(kind, item, config),
    isGone: 'isMerged',
    one: {
      get: `${objects}/{key.id}`,
      query: { properties: (scope) => propertiesOf(kind, scope).join(',') },
      item: (body: Parameters<typeof recordItem>[1], scope) => recordItem(kind, body, scope),
    },
    ...(kind.thread === undefined ? {} : { ofThread: {} }),
    keysOnly: { body: (scope: Scope<HubspotConfig>) => searchBody(kind, scope, ['hs_object_id']) },
    // A search shows changes late.
    incremental: { by: 'since', send: {}, overlap: '10m' },
    gone: {
      get: objects,
      query: { archived: true, limit: 100, properties: 'hs_object_id' },
      page: { by: 'cursor', from: 'paging.next.after', send: 'query.after' },
      items: 'results',
    },
    errors: [
      {
        when: { body: { category: 'MISSING_SCOPES' } },
        do: 'skip',
        say: `${missingScope} The ${name} are not updated.`,
      },
    ],
  };
}

/**
 * Contacts, companies, deals, tickets and activities of HubSpot: `hubspot://acme`. All kinds have the same requests, so `kinds`
 * describes what differs.
 */
export const hubspot = defineHttpConnector({
  keys: ['hubspot'],
  configSchema,
  setup,
  base: '{config.base_url}',
  auth: { bearer: 'token' },
  check: {
    get: `/crm/objects/${version}/contacts`,
    query: { limit: 1 },
    say: () => 'The token can read contacts.',
  },
  errors,
  limits: {
    // Some refusals do not state when to continue.
    wait: '10s',
    budgets: [{ match: '/search', requests: 5, per: '1s' }],
  },
  lookups,
  objects: Object.fromEntries(kinds.map((kind) => [kind.name, objectOf(kind)])),
  streams: Object.fromEntries(kinds.map((kind) => [kind.name, streamOf(kind)])),
});
