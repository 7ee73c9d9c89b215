import { kindOf } from '@trove/core/content';

const testPath =
  /(^|\/)(tests?|specs?|__tests__|fixtures?|testdata)(\/|$)|[._-](test|spec)\.[^/]+$/i;
const readme = /(^|\/)readme(\.[^/]*)?$/i;

/** An object's place in the indexing order, lower first: READMEs and documents, sources, tests, the rest. */
export function priorityOf(path: string): number {
  if (readme.test(path)) return 0;
  if (testPath.test(path)) return 3;
  switch (kindOf(path, null, false)) {
    case 'document':
      return 1;
    case 'code':
      return 2;
    default:
      return 4;
  }
}
