import { canonicalName } from '@trove/text/names';
import { entityId, relationId } from '../identity/ids.js';
import type { StoredPassage } from './passage.js';

/** An entity or relation with its id. */
export interface NamedItem {
  readonly id: string;
  readonly text: string;
}

/** The distinct ids that a passage states, in order. */
export interface StatedIds {
  readonly entityIds: readonly string[];
  readonly relationIds: readonly string[];
}

/** Collects the entities and relations of triplets, each with its first spelling. */
export class GraphNames {
  readonly entities = new Map<string, string>();
  readonly relations = new Map<string, string>();
  readonly #graph: string;
  /** Caches ids, because names repeat often. */
  readonly #entityIds = new Map<string, string>();

  constructor(graph: string) {
    this.#graph = graph;
  }

  /** Adds passages. Returns the new entities and relations. */
  add(passages: readonly StoredPassage[]): { entities: NamedItem[]; relations: NamedItem[] } {
    const entities: NamedItem[] = [];
    const relations: NamedItem[] = [];
    for (const { subject, predicate, object } of passages.flatMap(({ triplets }) => triplets)) {
      for (const text of [subject, object]) {
        const id = this.#entityId(text);
        if (this.entities.has(id)) continue;
        this.entities.set(id, text);
        entities.push({ id, text });
      }
      const id = relationId(this.#graph, subject, predicate, object);
      if (this.relations.has(id)) continue;
      const text = `${subject} ${predicate} ${object}`;
      this.relations.set(id, text);
      relations.push({ id, text });
    }
    return { entities, relations };
  }

  #entityId(name: string): string {
    const key = canonicalName(name);
    const known = this.#entityIds.get(key);
    if (known !== undefined) return known;
    const id = entityId(this.#graph, name);
    this.#entityIds.set(key, id);
    return id;
  }
}

/** Returns the ids that a passage states. */
export function statedIdsOf(
  graph: string,
  { triplets }: Pick<StoredPassage, 'triplets'>,
): StatedIds {
  const entityIds = triplets.flatMap(({ subject, object }) => [
    entityId(graph, subject),
    entityId(graph, object),
  ]);
  const relationIds = triplets.map(({ subject, predicate, object }) =>
    relationId(graph, subject, predicate, object),
  );
  return { entityIds: [...new Set(entityIds)], relationIds: [...new Set(relationIds)] };
}
