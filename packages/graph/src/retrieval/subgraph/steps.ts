import type { ExpansionStep } from '../types.js';
import type { Descriptions } from './descriptions.js';
import type { Growth } from './grow.js';

/** The growth of a subgraph for people to follow. */
export function showSteps(steps: readonly Growth[], describe: Descriptions): ExpansionStep[] {
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
  const counts = `${counted(entities, 'entity', 'entities')} and ${counted(relations, 'relation', 'relations')}`;
  if (step === 0) return `Found for the question: ${counts}`;
  return `${counted(step, 'hop', 'hops')} further: ${counts}`;
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
