import type { JobRecord, ObjectCatalog, ObjectRecord } from '@trove/core/store';
import type { ConnectorAbilities } from '../../sources/connectors/abilities.js';
import { objectsOf } from '../tasks/stored.js';

/** With more objects at the named paths than this, everything is listed instead: those met are held in memory. */
export const mostNamedObjects = 10_000;
const pageSize = 1000;

/** The paths that a job may confine itself to; null: everything is to be listed. */
export function namedPaths(
  { full, since, paths }: JobRecord,
  abilities: ConnectorAbilities,
): readonly string[] | null {
  return full || since !== null || !abilities.paths ? null : paths;
}

/** What is known at named paths and below them, but was not met there; a page at a time. */
export async function* unmetAt(
  objects: ObjectCatalog,
  connectorId: string,
  paths: readonly string[],
  isMet: (object: ObjectRecord) => boolean,
): AsyncGenerator<ObjectRecord[], void, undefined> {
  yield (await objects.findByPath(connectorId, paths)).filter((object) => !isMet(object));
  for (const path of paths) {
    let page: ObjectRecord[] = [];
    for await (const object of objectsOf(objects, connectorId, `${path}/`)) {
      if (!isMet(object)) page.push(object);
      if (page.length < pageSize) continue;
      yield page;
      page = [];
    }
    yield page;
  }
}
