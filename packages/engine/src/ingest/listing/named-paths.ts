import type { JobRecord, ObjectCatalog, ObjectRecord } from '@trove/core/store';
import type { EffectiveCapabilities } from '../../sources/connectors/capabilities.js';
import { objectsOf } from '../tasks/catalog-pages.js';

/** If the named paths contain more objects, the whole source is listed, because all seen paths are held in memory. */
export const maxNamedObjects = 10_000;
const pageSize = 1000;

/** Returns the paths to which a job can be limited. Null: everything must be listed. */
export function namedPaths(
  { full, since, paths }: JobRecord,
  capabilities: EffectiveCapabilities,
): readonly string[] | null {
  return full || since !== null || !capabilities.paths ? null : paths;
}

/** Yields pages of known objects at and below the named paths that were not seen there. */
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
