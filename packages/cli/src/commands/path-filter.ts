/**
 * Options that choose among files by their paths, of `grep` and `search`. By hand: they repeat, while a comma separates the
 * patterns of a parameter.
 */
export const pathFilterArgs = {
  glob: {
    type: 'string',
    alias: 'g',
    valueHint: 'GLOB',
    repeats: true,
    description:
      'Only files whose path fits, as in .gitignore: `*.{ts,tsx}`, `src/**`; `!` excludes; the last that fits decides',
  },
  type: {
    type: 'string',
    alias: 't',
    valueHint: 'TYPE',
    repeats: true,
    description: "Only such files, by ripgrep's names: ts, py, md, …",
  },
  'type-not': {
    type: 'string',
    alias: 'T',
    valueHint: 'TYPE',
    repeats: true,
    description: 'No such files',
  },
} as const;

interface PathFilterValues {
  texts(name: keyof typeof pathFilterArgs): readonly string[];
}

/** What the API takes for them. */
export function pathFilterOf(args: PathFilterValues): {
  glob: string | undefined;
  type: string | undefined;
} {
  const globs = args.texts('glob').map(escapeCommas);
  const types = [...args.texts('type'), ...args.texts('type-not').map((type) => `!${type}`)];
  return {
    glob: globs.length === 0 ? undefined : globs.join(','),
    type: types.length === 0 ? undefined : types.join(','),
  };
}

/** Outside braces a comma is part of the name here, and separates patterns in the API. */
function escapeCommas(glob: string): string {
  let depth = 0;
  return glob.replace(/\\.|[{},]/gs, (unit) => {
    if (unit === '{') depth++;
    if (unit === '}') depth--;
    return unit === ',' && depth <= 0 ? '\\,' : unit;
  });
}
