import type { Filter } from '@trove/core';

/** More conditions than this cost an index more than they save. */
const maxConditions = 60;

/**
 * A condition that every path meets that lists of patterns choose, so that an index need not look at the others: such as
 * that it ends in `.ts`. Null when the patterns are not as simple as that.
 */
export function pathCondition(lists: readonly (readonly string[])[]): Filter | null {
  const filters = lists.flatMap((list) => endingCondition(list) ?? []);
  return filters.length === 0 ? null : { op: 'and', filters };
}

function endingCondition(list: readonly string[]): Filter | null {
  const taking = list.filter((glob) => !glob.startsWith('!'));
  const ends = taking.map(endingOf);
  if (ends.length === 0 || ends.length * 2 > maxConditions || ends.includes(null)) return null;
  const like = (pattern: string): Filter => ({ op: 'like', field: 'path', pattern });
  // A pattern also takes what is below a folder of that name.
  const filters = ends.flatMap((end) => [like(`%${end}`), like(`%${end}/%`)]);
  return { op: 'or', filters };
}

/** How every path ends that a pattern matches: `.ts` for `*.ts`, `/Makefile` for `Makefile`; null if that is not known. */
function endingOf(glob: string): string | null {
  const [, star = '', name = ''] = /^(\*?)([a-z0-9._-]+)$/i.exec(glob) ?? [];
  if (name === '') return null;
  const plain = name.replaceAll('_', '\\_');
  return star === '' ? `/${plain}` : plain;
}
