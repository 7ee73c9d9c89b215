/**
 * Options of `grep` and `search` that filter by path. They are not generated, because each may be repeated while the
 * API separates patterns with commas.
 */
export const pathFilterArgs = {
  glob: {
    type: 'string',
    alias: 'g',
    valueHint: 'GLOB',
    repeats: true,
    description:
      'Only files whose path matches, as in .gitignore: `*.{ts,tsx}`, `src/**`. `!` excludes; the last match decides',
  },
  type: {
    type: 'string',
    alias: 't',
    valueHint: 'TYPE',
    repeats: true,
    description: 'Only files of this type, as in ripgrep: ts, py, md, …',
  },
  'type-not': {
    type: 'string',
    alias: 'T',
    valueHint: 'TYPE',
    repeats: true,
    description: 'No files of this type',
  },
} as const;

interface PathFilterValues {
  texts(name: keyof typeof pathFilterArgs): readonly string[];
}

/** Returns the parameters of the API for these options. */
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

/** Escapes commas outside braces: here they belong to the pattern, while the API separates patterns with them. */
function escapeCommas(glob: string): string {
  let depth = 0;
  return glob.replace(/\\.|[{},]/gs, (unit) => {
    if (unit === '{') depth++;
    if (unit === '}') depth--;
    return unit === ',' && depth <= 0 ? '\\,' : unit;
  });
}
