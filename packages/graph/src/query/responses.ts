import type { EntityResponse, PassageResponse, RelationResponse } from '../api/schemas.js';
import type {
  ExpansionStep,
  GraphEntity,
  GraphRelation,
  ScoredPassage,
} from '../retrieval/types.js';
import type { StoredPassage } from '../storage/passage.js';

/** Converts an entity into its API form. */
export function toEntityResponse({
  id,
  name,
  description,
  relationIds,
  passageIds,
}: GraphEntity): EntityResponse {
  return { id, name, description, relation_ids: [...relationIds], passage_ids: [...passageIds] };
}

export function toRelationResponse(relation: GraphRelation): RelationResponse {
  const { id, subject, predicate, object, text, entityIds, passageIds } = relation;
  return {
    id,
    source: subject,
    target: object,
    description: text,
    text,
    subject,
    predicate,
    object,
    entity_ids: [...entityIds],
    passage_ids: [...passageIds],
  };
}

export function withScore<T extends object>(
  shown: T,
  { score }: { readonly score: number },
): T & { score: number } {
  return { ...shown, score };
}

export function toPassageResponse(
  { id, text, metadata }: StoredPassage,
  { score, via }: ScoredPassage,
): PassageResponse {
  return { id, text, score, via, metadata: { ...metadata } };
}

export function toStepResponse(step: ExpansionStep) {
  return {
    step: step.step,
    entity_ids: [...step.entityIds],
    description: step.description,
    operation: step.operation,
    added_entity_ids: [...step.addedEntityIds],
    added_relation_ids: [...step.addedRelationIds],
    total_entities: step.totalEntities,
    total_relations: step.totalRelations,
  };
}
