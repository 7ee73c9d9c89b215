import type { HubspotWorld, Owner, Stored } from './world.js';

export function timeForm(ms: number): string {
  return new Date(ms).toISOString();
}

/** The property with the time of the last change. */
function modifiedProperty(kind: string): string {
  return kind === 'contacts' ? 'lastmodifieddate' : 'hs_lastmodifieddate';
}

/** Returns all properties of a record. Every value is a text. */
export function allProperties(stored: Stored): Readonly<Record<string, string | null>> {
  const { kind, id, properties, createdAt, updatedAt } = stored;
  return {
    hs_object_id: id,
    createdate: timeForm(createdAt),
    [modifiedProperty(kind)]: timeForm(updatedAt),
    ...properties,
  };
}

/** A record with the requested properties. A requested one without a value is null. */
export function objectForm(stored: Stored, requested: readonly string[]): unknown {
  const { kind, id, createdAt, updatedAt, archivedAt } = stored;
  const names = ['hs_object_id', 'createdate', modifiedProperty(kind), ...requested];
  const all = allProperties(stored);
  return {
    id,
    properties: Object.fromEntries(names.map((name) => [name, all[name] ?? null])),
    createdAt: timeForm(createdAt),
    updatedAt: timeForm(updatedAt),
    archived: archivedAt !== null,
    ...(archivedAt === null ? {} : { archivedAt: timeForm(archivedAt) }),
  };
}

export function ownerForm({ now }: HubspotWorld, { id, firstName, lastName }: Owner): unknown {
  const times = { createdAt: timeForm(now), updatedAt: timeForm(now) };
  const email = `${firstName.toLowerCase()}@acme.example`;
  return { id, email, firstName, lastName, type: 'PERSON', userId: 8, ...times, archived: false };
}

export function propertyForm(name: string, options: ReadonlyMap<string, string>): unknown {
  return {
    name,
    label: name,
    type: options.size > 0 ? 'enumeration' : 'string',
    fieldType: options.size > 0 ? 'select' : 'text',
    description: '',
    groupName: 'information',
    options: [...options].map(([value, label], at) => ({
      label,
      value,
      displayOrder: at,
      hidden: false,
    })),
    hidden: false,
    hubspotDefined: true,
    archived: false,
  };
}
