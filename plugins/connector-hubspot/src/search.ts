import type { Scope } from '@trove/connector-kit/http';

import type { HubspotConfig } from './config.js';
import type { HubspotKind } from './kinds.js';

/** The place of the id after which a page begins. It is the first filter of every search. */
export const afterPlace = 'body.filterGroups.0.filters.0.value';
/** The ids of records that were merged into a record. */
export const mergedIds = 'hs_merged_object_ids';

/** The properties of a kind that a request returns. */
export function propertiesOf(
  kind: HubspotKind,
  { config }: Scope<HubspotConfig>,
): readonly string[] {
  const { title, text, fields, at, thread } = kind;
  const all = [
    ...title,
    ...text,
    ...fields,
    ...(at === undefined ? [] : [at]),
    ...(thread === undefined ? [] : [thread]),
    kind.modified,
    'hubspot_owner_id',
    mergedIds,
    ...furtherProperties(kind, config),
  ];
  return [...new Set(all)];
}

/** The properties of a kind that the settings add. */
export function furtherProperties(
  { name }: HubspotKind,
  { properties = {} }: HubspotConfig,
): readonly string[] {
  const found = Object.entries(properties).find(([kind]) => kind === name);
  return found?.[1] ?? [];
}

/**
 * Returns a search for the records of a kind that changed, sorted by id. A search shows 10,000 results at most, so each page is
 * a search of its own for the ids after the last one. This also ends if many records have the same time.
 */
export function searchBody(
  kind: HubspotKind,
  scope: Scope<HubspotConfig>,
  properties = propertiesOf(kind, scope),
): unknown {
  const { since, values } = scope;
  const filters = [
    { propertyName: 'hs_object_id', operator: 'GT', value: '0' },
    ...(since === undefined
      ? []
      : [{ propertyName: kind.modified, operator: 'GTE', value: String(since) }]),
    ...(values['thread'] === undefined
      ? []
      : [{ propertyName: kind.thread, operator: 'EQ', value: values['thread'] }]),
  ];
  return {
    filterGroups: [{ filters }],
    sorts: [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }],
    properties,
    limit: 200,
  };
}
