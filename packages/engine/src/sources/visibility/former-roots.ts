import type { Filter } from '@trove/core';
import type { ConnectorRecord } from '@trove/core/store';
import type { VisiblePaths } from './visible-paths.js';

/**
 * Returns a condition for rows outside the former roots of sources that are not visible at their new places. Null if no
 * former root overlaps the visible paths.
 */
export function outsideFormerRoots(
  moved: readonly Pick<ConnectorRecord, 'rootUri' | 'movedFrom'>[],
  visible: VisiblePaths,
): Filter | null {
  const roots = moved
    .filter(({ rootUri }) => !visible.contains(rootUri))
    .flatMap(({ movedFrom }) => movedFrom)
    .filter((root) => visible.below(root).length > 0);
  if (roots.length === 0) return null;
  return { op: 'not', filter: { op: 'or', filters: roots.map(isWithin) } };
}

/** Matches the object and everything below it ('0' follows '/'). */
function isWithin(uri: string): Filter {
  const compare = (comparison: '=' | '>=' | '<', value: string): Filter => ({
    op: 'compare',
    field: 'path',
    comparison,
    value,
  });
  const below: Filter = {
    op: 'and',
    filters: [compare('>=', `${uri}/`), compare('<', `${uri}0`)],
  };
  return { op: 'or', filters: [compare('=', uri), below] };
}
