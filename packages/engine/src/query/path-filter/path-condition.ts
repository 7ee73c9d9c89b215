import type { Filter } from '@trove/core';

/** More conditions cost an index more than they save. */
const maxConditions = 60;

/**
 * Returns an index condition that all paths accepted by lists of globs meet, such as the ending `.ts`. It spares the
 * index the other rows. Null if the globs are too complex.
 */
export function toPathCondition(lists: readonly (readonly string[])[]): Filter | null {
  const filters = lists.flatMap((list) => toEndingCondition(list) ?? []);
  return filters.length === 0 ? null : { op: 'and', filters };
}

function toEndingCondition(list: readonly string[]): Filter | null {
  const included = list.filter((glob) => !glob.startsWith('!'));
  const endings = included.map(endingOf);
  if (endings.length === 0 || endings.length * 2 > maxConditions || endings.includes(null))
    return null;
  const like = (pattern: string): Filter => ({ op: 'like', field: 'path', pattern });
  // A glob also matches everything below a folder of that name.
  const filters = endings.flatMap((end) => [like(`%${end}`), like(`%${end}/%`)]);
  return { op: 'or', filters };
}

/**
 * Returns the common ending of all paths that a glob matches: `.ts` for `*.ts`, `/Makefile` for `Makefile`. Null if
 * there is none.
 */
function endingOf(glob: string): string | null {
  const [, star = '', name = ''] = /^(\*?)([a-z0-9._-]+)$/i.exec(glob) ?? [];
  if (name === '') return null;
  const plain = name.replaceAll('_', '\\_');
  return star === '' ? `/${plain}` : plain;
}
