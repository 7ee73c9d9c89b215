import type { RecordParts, Scope } from '@trove/connector-kit/http';
import { MarkdownWriter, writeHtml } from '@trove/text/markdown';

import type { HubspotConfig } from './config.js';
import { kinds, type Associated, type HubspotKind } from './kinds.js';
import { furtherProperties, mergedIds } from './search.js';

type Properties = Readonly<Record<string, string | null | undefined>>;

/** A record, as the service describes it. */
interface HubspotObject {
  readonly id: string;
  readonly properties: Properties;
  readonly updatedAt: string;
}

/** A record with names in place of ids. */
export interface HubspotItem extends HubspotObject {
  readonly owner: unknown;
  /** The names of associated records. */
  readonly associated: Readonly<Partial<Record<Associated, readonly string[]>>>;
  readonly labels: Labels;
  readonly url: string | undefined;
}

/** A record that was merged into another one. */
interface MergedItem {
  readonly id: string;
  readonly isMerged: true;
}

/** Labels of values, by the name of the property and the value. */
type Labels = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Account {
  readonly portalId: number;
  readonly uiDomain: string;
}

/**
 * Returns the records of an answer, with the records that were merged into them. Undefined: the answer has no list. All look up their names at once, because
 * look-ups of the same time share requests. A record comes after the merged ones, because the next page begins after its id.
 */
export async function recordItems(
  kind: HubspotKind,
  { results }: { readonly results?: readonly HubspotObject[] },
  scope: Scope,
): Promise<readonly (MergedItem | HubspotItem)[] | undefined> {
  if (results === undefined) return undefined;
  const items = await Promise.all(results.map((object) => recordItem(kind, object, scope)));
  return items.flatMap((item) => [...mergedItems(item), item]);
}

function mergedItems({ properties, id }: HubspotItem): readonly MergedItem[] {
  const ids = properties[mergedIds]?.split(';') ?? [];
  return ids
    .filter((each) => each !== '' && each !== id)
    .map((each) => ({ id: each, isMerged: true }));
}

export async function recordItem(
  kind: HubspotKind,
  object: HubspotObject,
  { lookup }: Scope,
): Promise<HubspotItem> {
  const { id, properties } = object;
  const owner = properties['hubspot_owner_id'] ?? undefined;
  const [ownerName, labels, account, ...associated] = await Promise.all([
    lookup('owners', owner),
    kind.hasLabels === true ? labelsOf(kind, lookup) : {},
    lookup('account', 'own'),
    ...kind.associated.map((to) => associatedWith(kind, id, to, lookup)),
  ]);
  return {
    id,
    properties,
    updatedAt: object.updatedAt,
    owner: ownerName,
    labels,
    associated: Object.fromEntries(associated.map(({ to, names }) => [to, names])),
    url: urlOf(kind, id, associated, account),
  };
}

interface AssociatedRecords {
  readonly to: Associated;
  readonly ids: readonly string[];
  readonly names: readonly string[];
}

async function associatedWith(
  { name }: HubspotKind,
  id: string,
  to: Associated,
  lookup: Scope['lookup'],
): Promise<AssociatedRecords> {
  const found = await lookup(`${name}_${to}`, id);
  const ids = Array.isArray(found) ? found.map(String) : [];
  const names = await Promise.all(ids.map((each) => lookup(to, each)));
  return { to, ids, names: names.filter((each) => typeof each === 'string') };
}

async function labelsOf({ name, fields }: HubspotKind, lookup: Scope['lookup']): Promise<Labels> {
  const found = await Promise.all(
    fields.map(async (field) => [field, await lookup(`${name}_labels`, field)] as const),
  );
  return Object.fromEntries(found.map(([field, labels]) => [field, Object(labels)]));
}

/** Returns the address of a record, or of a record that shows it. */
function urlOf(
  { number, isActivity }: HubspotKind,
  id: string,
  associated: readonly AssociatedRecords[],
  account: unknown,
): string | undefined {
  const { portalId, uiDomain }: Partial<Account> = Object(account);
  if (portalId === undefined || uiDomain === undefined) return undefined;
  const records = `https://${uiDomain}/contacts/${portalId}/record`;
  if (isActivity !== true) return `${records}/${number}/${id}`;
  const [shown] = associated.filter(({ ids }) => ids.length > 0);
  const kind = kinds.find(({ name }) => name === shown?.to);
  return kind === undefined
    ? undefined
    : `${records}/${kind.number}/${shown?.ids[0]}?engagement=${id}`;
}

export function recordOf(kind: HubspotKind, item: HubspotItem, config: HubspotConfig): RecordParts {
  const { properties, owner, associated, labels, url } = item;
  const title = kind.title.flatMap((name) => properties[name] ?? []).join(' ');
  const text = kind.text.map((name) => plainText(properties[name])).filter(Boolean);
  const thread = kind.thread === undefined ? undefined : properties[kind.thread];
  const names = [...kind.fields, ...furtherProperties(kind, config)];
  const fields = names.flatMap((name) => {
    const value = properties[name];
    return value === null || value === undefined || value === ''
      ? []
      : [[name, labels[name]?.[value] ?? value] as const];
  });
  return {
    title: title === '' ? properties['email'] : title,
    ...(kind.text.length === 0 ? {} : { text: text.join('\n\n') || title }),
    at: properties[kind.at ?? kind.modified] ?? item.updatedAt,
    author: owner,
    url,
    ...(thread === null || thread === undefined ? {} : { thread }),
    fields: {
      ...Object.fromEntries(fields),
      ...(owner === undefined ? {} : { owner }),
      ...Object.fromEntries(Object.entries(associated).filter(([, found]) => found.length > 0)),
    },
  };
}

/** Texts of activities are HTML. */
function plainText(value: string | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (!/<\/?[a-z][^<>]*>|&\w+;/i.test(value)) return value.trim();
  const writer = new MarkdownWriter();
  writeHtml(value, writer);
  return writer.hasText ? writer.finish(undefined, '').markdown.trimEnd() : '';
}
