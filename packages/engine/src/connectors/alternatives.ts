import { TroveError } from '@trove/core';

const alternativesAtMost = 100;

/** Expands `{a,b}` in a pattern. Throws `config_invalid` for more than a hundred alternatives. */
export function alternativesOf(pattern: string, place: string): string[] {
  const [start, ...rest] = pattern.split(/(?<!\\)\{([^{}]*,[^{}]*)\}/);
  let written = [start ?? ''];
  for (let index = 0; index < rest.length; index += 2) {
    const [choices = '', text = ''] = rest.slice(index, index + 2);
    written = written.flatMap((begin) => choices.split(',').map((each) => begin + each + text));
    if (written.length <= alternativesAtMost) continue;
    throw new TroveError('config_invalid', `${place}: has over ${alternativesAtMost} alternatives`);
  }
  return written;
}
