import type { StreamDescription } from '../description/index.js';
import { keyPaths, type Plan } from '../plan.js';
import { isPath } from './places.js';

/** Returns the paths of the values that identify an item of a stream. */
export function idPaths({ streams, objects }: Plan, name: string): readonly string[] {
  const description = streams.get(name)?.description;
  if (description?.key !== undefined) return keyPaths(description.key).map(([, path]) => path);
  const trees = [...streams.values()].map(({ description: each }) => each.document?.tree);
  const candidates = [
    description?.document?.identity,
    ...objects.flatMap((each) => (each.description.for === name ? each.description.identity : [])),
    ...trees.flatMap((tree) => (tree?.folders === name ? tree.id : [])),
  ];
  return [candidates.find(isPath) ?? 'id'];
}

/** Returns the path of the time of the last change, if the description has one. */
export function timePath({ incremental, record, document }: StreamDescription): string | undefined {
  const mapped = typeof record === 'object' ? record.at : undefined;
  const sorted = incremental?.by === 'newest-first' ? incremental.time : undefined;
  return [sorted, mapped, document?.modifiedAt].find(isPath);
}

/** Whether a change of an item also changes its time. A window and a plain list show the time of creation. */
export function hasChangeTime({ incremental, document }: StreamDescription): boolean {
  const by = incremental?.by;
  return document !== undefined || by === 'since' || by === 'newest-first' || by === 'export';
}
