import { readdirSync } from 'node:fs';

/** Folders that never hold what people wrote themselves. */
const folders = names(`
  .git .hg .svn .jj .bzr _darcs CVS
  node_modules bower_components jspm_packages .pnpm-store .yarn .venv venv __pypackages__ site-packages
  .eggs .tox .nox Pods Carthage .bundle .gradle .m2 .cargo .dart_tool .pub-cache elm-stuff
  dist .next .nuxt .output .svelte-kit .astro .docusaurus .vercel .serverless .terraform DerivedData
  .cache .parcel-cache .turbo .nx .angular .vite __pycache__ .pytest_cache .mypy_cache .ruff_cache
  .hypothesis .ipynb_checkpoints .nyc_output coverage htmlcov .sass-cache .trash .Trash
`);

/** Folders of build output or dependencies by name, unless prose lies right in them (a chapter called "build"). */
const foldersWithoutProse = names('build out target vendor obj');

const files = names(`
  .git package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock
  Cargo.lock poetry.lock Pipfile.lock uv.lock pdm.lock Gemfile.lock composer.lock go.sum mix.lock
  pubspec.lock Podfile.lock Cartfile.resolved Package.resolved flake.lock gradle.lockfile
  packages.lock.json .terraform.lock.hcl .DS_Store Thumbs.db desktop.ini .eslintcache .stylelintcache
`);

const folderPatterns: readonly [string, RegExp][] = [
  ['*.egg-info', /\.egg-info$/],
  ['cmake-build-*', /^cmake-build-/],
  ['bazel-*', /^bazel-(?:bin|out|testlogs)$/],
];

const filePatterns: readonly [string, RegExp][] = [
  ['*.tsbuildinfo', /\.tsbuildinfo$/],
  ['*.py[co]', /\.py[co]$/],
  ['*.sw[po]', /^\..*\.sw[po]$/],
  ['*~', /.~$/],
];

const prose = /\.(?:md|mdx|markdown|rst|adoc)$/i;

/** The built-in pattern that leaves a name out of the index, or null. `at` is where the entry lies on disk. */
export function defaultPattern(name: string, isFolder: boolean, at: string): string | null {
  if (!isFolder) return files.has(name) ? name : firstMatch(filePatterns, name);
  if (folders.has(name)) return `${name}/`;
  if (foldersWithoutProse.has(name)) return holdsProse(at) ? null : `${name}/`;
  const pattern = firstMatch(folderPatterns, name);
  return pattern === null ? null : `${pattern}/`;
}

function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

function firstMatch(patterns: readonly [string, RegExp][], name: string): string | null {
  return patterns.find(([, expression]) => expression.test(name))?.[0] ?? null;
}

function holdsProse(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => prose.test(name));
  } catch {
    return false;
  }
}
