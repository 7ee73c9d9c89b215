import { TroveError } from '@trove/core';
import { readGlobs } from '@trove/text/glob';
import { findNearest } from '@trove/runtime';
import { fileTypes } from './file-types.js';

/** Characters shown of an unknown name. */
const maxNameChars = 40;

/** The globs and file types of a request. */
export interface PathFilterRequest {
  readonly glob?: string | undefined;
  readonly type?: string | undefined;
}

/** Returns lists of globs. A path must be accepted by every list. Throws `validation_error`. */
export function toGlobLists({ glob, type }: PathFilterRequest): string[][] {
  return [
    ...(glob === undefined ? [] : [globsOf(glob)]),
    ...(type === undefined ? [] : [globsOfTypes(type)]),
  ];
}

function globsOf(text: string): string[] {
  const globs = readGlobs(text);
  if (globs !== null) return globs;
  throw new TroveError('validation_error', 'glob: one of the patterns cannot match anything', {
    suggestions: [
      'Separate patterns with commas, such as `*.{ts,tsx},!*.test.ts`. The maximum is 200.',
      'Close each bracket. Write a comma in a name as `\\,`.',
    ],
  });
}

function globsOfTypes(text: string): string[] {
  return text.split(',').flatMap((part) => {
    const [, negation = '', name = ''] = /^(!?)(.*)$/.exec(part.trim()) ?? [];
    const globs = Object.hasOwn(fileTypes, name) ? fileTypes[name] : undefined;
    if (globs === undefined) throw unknownType(name);
    return globs.split(' ').map((glob) => negation + glob);
  });
}

function unknownType(name: string): TroveError {
  const names = Object.keys(fileTypes);
  const nearest = findNearest(name, names);
  const byExtension = names.filter((each) => fileTypes[each]?.split(' ').includes(`*.${name}`));
  const quotedName = JSON.stringify(name.slice(0, maxNameChars));
  return new TroveError('validation_error', `type: ${quotedName} is not a known file type`, {
    suggestions: [
      ...byExtension.map((each) => `Use the type "${each}" for such files.`),
      ...(byExtension.length > 0 || nearest === null ? [] : [`Did you mean "${nearest}"?`]),
      'Select other files with `glob`, such as `*.txt`.',
      `Known types: ${names.join(', ')}.`,
    ],
  });
}
