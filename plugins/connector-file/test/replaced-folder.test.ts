import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { missingProgram, testUnless } from '@trove/test-support/skips.js';
import { openRoot } from '../src/source/root.js';
import { grep } from '../src/grep/grep-task.js';
import { read } from '../src/tasks/read.js';
import { list } from '../src/tasks/list.js';

const test = suite('a folder that is repeatedly replaced by a link');
/** The number of the system call `renameat2`, by processor. */
const renameat2 = new Map<string, number>([
  ['x64', 316],
  ['arm64', 276],
]).get(process.arch);
const reason =
  process.platform === 'linux' && renameat2 !== undefined
    ? missingProgram('perl')
    : 'only Linux exchanges two names at once';
const rounds = 4000;

/** Starts a process that exchanges two names until it is killed. It prints a line when it begins. */
function exchanging(one: string, other: string) {
  const script = `$| = 1; print "begun\\n"; while (1) { syscall(${renameat2}, -100, $ARGV[0], -100, $ARGV[1], 2); }`;
  return spawn('perl', ['-e', script, one, other], { stdio: ['ignore', 'pipe', 'inherit'] });
}

testUnless(reason, test)('shows no file from outside the source', async () => {
  const root = mkdtempSync(join(tmpdir(), 'trove-exchanged-'));
  const [source, outside] = [join(root, 'source'), join(root, 'outside')];
  for (const folder of [join(source, 'docs'), outside]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(source, 'docs', 'a.md'), 'public words');
  writeFileSync(join(outside, 'a.md'), 'secret words');
  writeFileSync(join(outside, 'secret.md'), 'secret words');
  symlinkSync(outside, join(source, 'link'));
  const from = { root: source, name: source, isUpload: false, ignore: [], deniedRoots: [] };
  const task = { ...from, allowedRoots: [] };
  assert.is(openRoot(task).real, source);
  const child = exchanging(join(source, 'docs'), join(source, 'link'));
  try {
    await once(child.stdout, 'data');
    const seen = { read: 0, escaped: [] as string[] };
    for (let round = 0; round < rounds; round++) {
      const text = readAll(task);
      if (text !== null) seen.read++;
      if (text?.includes('secret') === true) seen.escaped.push('read');
      if (round % 8 !== 0) continue;
      if (linesOf(task).some((line) => line.includes('secret'))) seen.escaped.push('grep');
      if (pathsOf(task).some((path) => path.includes('secret'))) seen.escaped.push('list');
    }
    assert.equal(seen.escaped, []);
    assert.ok(seen.read > 0, 'the file was read now and then');
  } finally {
    child.kill('SIGKILL');
    await once(child, 'close');
    rmSync(root, { recursive: true, force: true });
  }
});

type Task = Parameters<typeof openRoot>[0] & { readonly ignore: readonly string[] };

function readAll(task: Task): string | null {
  const reading = read({ ...task, path: 'docs/a.md', range: { start: 0 } });
  try {
    const { value } = reading.next();
    return value instanceof Uint8Array ? Buffer.from(value).toString() : null;
  } catch {
    return null;
  }
}

function linesOf(task: Task): string[] {
  const asked = { pattern: 'words', regex: false, ignoreCase: false, path: '', context: 0 };
  const bounds = {
    limit: 100,
    limitPerObject: 100,
    after: null,
    shared: null,
    owner: 1,
    isTrial: false,
    filter: null,
  };
  const all = {
    ...task,
    ...asked,
    ...bounds,
    globs: [],
    excludedMediaTypes: [],
    onlyMatching: false,
  };
  return [...grep(all)].flat().map(({ content }) => content);
}

function pathsOf(task: Task): string[] {
  try {
    return [...list({ ...task, knownIdentity: null, paths: [''] })].map((batch) =>
      JSON.stringify(batch),
    );
  } catch {
    return [];
  }
}

test.run();
