import type { PassageStore } from '../store/passage-store.js';
import type { Neighborhood } from '../types.js';
import { Descriptions } from './descriptions.js';
import { StatedRelations, type StatedRelation } from './stated-relations.js';

/** Maximum number of passages read. */
const maxPassagesRead = 5000;
/** Maximum number of relations read, because a passage may have many. */
const maxRelationsRead = 100_000;
/** Maximum number of passages shown for a hub. */
const maxHubPassages = 20;

/** Finds the neighbors of an entity, most connected first, and the relations among them. */
export function findNeighborhood(
  graph: string,
  entity: number,
  limit: number,
  store: PassageStore,
): Neighborhood {
  const slots = store.passagesWith(entity).slice(0, maxPassagesRead);
  const statements = new StatedRelations(
    store,
    store.slots.matching(undefined),
    slots.slice(0, maxHubPassages),
  );
  const all = readRelations(slots, statements);
  const connections = new Map<number, number>();
  for (const { subject, object } of all) {
    if (subject !== entity && object !== entity) continue;
    const other = subject === entity ? object : subject;
    if (other !== entity) connections.set(other, (connections.get(other) ?? 0) + 1);
  }
  const neighbors = Array.from(connections, ([other, count]) => ({
    other,
    count,
    name: store.nameOf(other),
  }))
    .sort((a, b) => b.count - a.count || compare(a.name, b.name))
    .slice(0, limit)
    .map(({ other }) => other);
  const among = new Set([entity, ...neighbors]);
  const shown = [...all].filter((each) => isAmong(each, among));
  const describe = new Descriptions(graph, store, statements, shown);
  return {
    entity: describe.entity(entity),
    neighbors: neighbors.map((other) => describe.entity(other)),
    relations: shown.map((statement) => describe.relation(statement)),
  };
}

function readRelations(slots: readonly number[], statements: StatedRelations): Set<StatedRelation> {
  const all = new Set<StatedRelation>();
  let read = 0;
  for (const slot of slots) {
    if (read >= maxRelationsRead) break;
    const stated = statements.of(slot);
    read += stated.length;
    for (const statement of stated) all.add(statement);
  }
  return all;
}

function isAmong({ subject, object }: StatedRelation, entities: ReadonlySet<number>): boolean {
  return entities.has(subject) && entities.has(object);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
