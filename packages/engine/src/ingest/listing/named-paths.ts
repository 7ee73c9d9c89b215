import type { JobRecord, ObjectCatalog, ObjectRecord } from '@trove/core/store';
import type { EffectiveCapabilities } from '../../sources/connectors/capabilities.js';
import { objectsOf } from '../tasks/catalog-pages.js';

/** With more objects at the named paths than this, everything is listed instead: those met are held in memory. */
export const maxNamedObjects = 10_000;
const pageSize = 1000;

/** The paths that a job may confine itself to; null: everything is to be listed. */
export function namedPaths(
  { full, since, paths }: JobRecord,
  abilities: EffectiveCapabilities,
): readonly string[] | null {
  return full || since !== null || !abilities.paths ? null : paths;
}

/** What is known at named paths and below them, but was not met there; a page at a time. */
export async function* findUnseen(
  objects: ObjectCatalog,
  connectorId: string,
  paths: readonly string[],
  isSeen: (object: ObjectRecord) => boolean,
): AsyncGenerator<ObjectRecord[], void, undefined> {
  yield (await objects.findByPath(connectorId, paths)).filter((object) => !isSeen(object));
  for (const path of paths) {
    let page: ObjectRecord[] = [];
    for await (const object of objectsOf(objects, connectorId, `${path}/`)) {
      if (!isSeen(object)) page.push(object);
      if (page.length < pageSize) continue;
      yield page;
      page = [];
    }
    yield page;
  }
}
