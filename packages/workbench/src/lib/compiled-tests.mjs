import { existsSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { root, workspaces } from './workspaces.mjs';

/*
 * Tests are compiled once per run, into files beside their own, and import the built code of their package. A loader in
 * each process and thread would take more processor time than many tests.
 */

const ending = '.compiled.mjs';
const original = /\.(ts|mjs|js)$/;
/** The address of a program that a test starts. */
const programPattern = /(?<=new URL\(')([^']+\.ts)(?=', import\.meta\.url\))/g;
const locationPattern = new RegExp(
  `(file://)?(/[^\\s():]+${ending.replaceAll('.', '\\.')}):(\\d+):(\\d+)`,
  'g',
);

/** Compiles test files and the TypeScript that they import or start. Throws if one of them cannot be read. */
export async function compileTests(paths) {
  // Missing until the first installation.
  const { build } = await import('esbuild');
  const done = new Set();
  for (let pending = [...paths]; pending.length > 0;) {
    for (const path of pending) done.add(path);
    const imported = new Set();
    await build({
      entryPoints: pending,
      outdir: root,
      outbase: root,
      outExtension: { '.js': ending },
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      sourcemap: 'inline',
      sourcesContent: false,
      tsconfig: join(root, 'tsconfig.base.json'),
      plugins: [importsOf(imported)],
    });
    pending = [...imported].filter((path) => !done.has(path));
  }
}

/** Returns the path of the compiled form of a test file. */
export function compiledPath(path) {
  return path.replace(original, ending);
}

/** Returns the output of tests with positions in their sources instead of the compiled files. */
export function inSources(output) {
  return output.replace(locationPattern, (place, scheme = '', path, line, column) => {
    const found = mapOf(path)?.findEntry(line - 1, column - 1);
    if (found?.originalSource === undefined) return place;
    const source = fileURLToPath(new URL(found.originalSource, `file://${path}`));
    return `${scheme}${source}:${found.originalLine + 1}:${found.originalColumn + 1}`;
  });
}

function mapOf(path) {
  if (!existsSync(path)) return undefined;
  const [, map] =
    /sourceMappingURL=data:application\/json;base64,(\S+)/.exec(readFileSync(path, 'utf8')) ?? [];
  return map && new SourceMap(JSON.parse(Buffer.from(map, 'base64').toString('utf8')));
}

/** Resolves imports and programs to compiled and built files, and records the compiled ones. Keeps other imports. */
function importsOf(imported) {
  const sources = workspaces().map(({ path }) => join(path, 'src/'));
  const isSource = (file) => sources.some((folder) => file.startsWith(folder));
  const resolve = ({ kind, path, resolveDir }) => {
    if (kind === 'entry-point') return undefined;
    const file = path.startsWith('.') ? typescriptOf(join(resolveDir, path)) : undefined;
    if (file === undefined) return { path, external: true };
    if (isSource(file)) {
      return { path: path.replace(/(?<=^(\.\.?\/)+)src\//, 'dist/'), external: true };
    }
    imported.add(file);
    return { path: compiledPath(path), external: true };
  };
  const load = async ({ path }) => {
    const text = await readFile(path, 'utf8');
    const contents = text.replace(programPattern, (program) => {
      const file = typescriptOf(join(dirname(path), program));
      if (file === undefined || isSource(file)) return program;
      imported.add(file);
      return compiledPath(program);
    });
    return { contents, loader: 'ts' };
  };
  const setup = (esbuild) => {
    esbuild.onResolve({ filter: /.*/ }, resolve);
    esbuild.onLoad({ filter: /\.ts$/ }, load);
  };
  return { name: 'imports', setup };
}

/** Returns the TypeScript file of an import. */
function typescriptOf(path) {
  const file = path.replace(/\.js$/, '.ts');
  return file.endsWith('.ts') && existsSync(file) && statSync(file).isFile() ? file : undefined;
}
