import type { ExpansionStep } from '../types.js';
import type { Descriptions } from './descriptions.js';
import type { Growth } from './growing-subgraph.js';

/** Describes the growth of a subgraph for people. */
export function describeSteps(steps: readonly Growth[], describe: Descriptions): ExpansionStep[] {
  const entityIds: string[] = [];
  let totalRelations = 0;
  return steps.map(({ entities, statements }, step) => {
    const added = entities.map((entity) => describe.entityId(entity));
    entityIds.push(...added);
    totalRelations += statements.length;
    return {
      step,
      operation: step === 0 ? 'init' : 'expand',
      description: descriptionOf(step, added.length, statements.length),
      entityIds: [...entityIds],
      addedEntityIds: added,
      addedRelationIds: statements.map((statement) => describe.relationId(statement)),
      totalEntities: entityIds.length,
      totalRelations,
    };
  });
}

function descriptionOf(step: number, entities: number, relations: number): string {
  const counts = `${formatCount(entities, 'entity', 'entities')} and ${formatCount(relations, 'relation', 'relations')}`;
  if (step === 0) return `Found for the question: ${counts}`;
  return `${formatCount(step, 'hop', 'hops')} further: ${counts}`;
}

function formatCount(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
