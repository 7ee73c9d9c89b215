import { TroveError } from '@trove/core';
import { readGlobs } from '@trove/text/glob';
import { findNearest } from '@trove/runtime';
import { fileTypes } from './file-types.js';

/** Characters of an unknown name. */
const maxNameChars = 40;

/** Which objects are wanted, as a request says it. */
export interface PathFilterRequest {
  readonly glob?: string | undefined;
  readonly type?: string | undefined;
}

/** The lists of patterns that an object's path must be chosen by. Throws `validation_error`. */
export function globLists({ glob, type }: PathFilterRequest): string[][] {
  return [
    ...(glob === undefined ? [] : [globsOf(glob)]),
    ...(type === undefined ? [] : [globsOfTypes(type)]),
  ];
}

function globsOf(text: string): string[] {
  const globs = readGlobs(text);
  if (globs !== null) return globs;
  throw new TroveError('validation_error', 'glob: one of its patterns can match nothing', {
    suggestions: [
      'Separate patterns by commas, such as `*.{ts,tsx},!*.test.ts`; at most 200 are taken.',
      'Close each bracket; write a comma in a name as `\\,`.',
    ],
  });
}

function globsOfTypes(text: string): string[] {
  return text.split(',').flatMap((part) => {
    const [, not = '', name = ''] = /^(!?)(.*)$/.exec(part.trim()) ?? [];
    const globs = Object.hasOwn(fileTypes, name) ? fileTypes[name] : undefined;
    if (globs === undefined) throw unknownType(name);
    return globs.split(' ').map((glob) => not + glob);
  });
}

function unknownType(name: string): TroveError {
  const names = Object.keys(fileTypes);
  const near = findNearest(name, names);
  const ofEnding = names.filter((each) => fileTypes[each]?.split(' ').includes(`*.${name}`));
  const shown = JSON.stringify(name.slice(0, maxNameChars));
  return new TroveError('validation_error', `type: ${shown} is no known type of files`, {
    suggestions: [
      ...ofEnding.map((each) => `Such files are of the type "${each}".`),
      ...(ofEnding.length > 0 || near === null ? [] : [`Did you mean "${near}"?`]),
      'Name other files by `glob`, such as `*.txt`.',
      `Known types: ${names.join(', ')}.`,
    ],
  });
}
