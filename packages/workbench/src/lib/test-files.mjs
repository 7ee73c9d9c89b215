import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

import { compiledPath } from './compiled-tests.mjs';
import { servicesOf } from './test-services.mjs';
import { root, workspaces } from './workspaces.mjs';

const defaultTimeoutS = 300;
/** The machines of CI are shared and sometimes take many times as long. */
const timeoutFactor = process.env['TROVE_TEST_REQUIRE_ALL'] === '1' ? 2 : 1;
const testFile = /\.test\.(ts|js|mjs)$/;

/**
 * Returns all test files as `{ path, program, name, isLong, isSlow, timeoutMs, waits, needs }`, files with their own
 * time limit first, and the workspaces without tests.
 */
export function testFiles() {
  const files = [];
  const without = [];
  for (const { folder } of workspaces()) {
    const found = filesBelow(join(root, folder, 'test'));
    if (found.length === 0) without.push(folder);
    files.push(...found.map(describe));
  }
  files.sort((a, b) => Number(b.isLong) - Number(a.isLong) || b.timeoutMs - a.timeoutMs);
  return { files, without };
}

/**
 * Selects files by filters: an existing path (relative to the working directory) selects files below it, and other text
 * selects names that contain it. Without filters all files are selected, slow ones only with `isAll`.
 */
export function selectFiles(files, filters, isAll) {
  if (filters.length === 0) return files.filter(({ isSlow }) => isAll || !isSlow);
  const matchers = filters.map((filter) => {
    const path = resolve(process.env.INIT_CWD ?? process.cwd(), filter);
    const local = resolve(filter);
    const base = [local, path].find((candidate) => existsSync(candidate));
    if (base === undefined) return (file) => file.name.includes(filter);
    return (file) => file.path === base || file.path.startsWith(base + sep) || base === root;
  });
  return files.filter((file) => matchers.some((matches) => matches(file)));
}

function filesBelow(folder) {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  return readdirSync(folder, { recursive: true })
    .filter((name) => testFile.test(name) && !name.includes('node_modules'))
    .sort((a, b) => a.localeCompare(b, 'en'))
    .map((name) => join(folder, name));
}

/**
 * A file's first lines may contain `// test-timeout: SECONDS`, `// test-waits` if it waits more than it computes, and
 * `// test-slow` if it runs only on request.
 */
function describe(path) {
  const text = readFileSync(path, 'utf8');
  const head = text.split('\n', 10).join('\n');
  const declared = /^\/\/ test-timeout: (\d+)\s*$/m.exec(head)?.[1];
  return {
    path,
    program: compiledPath(path),
    name: relative(root, path).replaceAll(sep, '/'),
    isLong: declared !== undefined,
    isSlow: /^\/\/ test-slow\s*$/m.test(head),
    timeoutMs: Number(declared ?? defaultTimeoutS) * 1000 * timeoutFactor,
    waits: /^\/\/ test-waits\s*$/m.test(head),
    needs: servicesOf(text),
  };
}
