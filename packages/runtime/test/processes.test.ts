// test-waits
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { waitUntil } from '@trove/test-support/waiting.js';

const test = suite('processes instead of threads');

/** A zombie process, as in some containers, does not run. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

test('a busy process ends after its parent was killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trove-processes-'));
  try {
    const file = join(folder, 'pid');
    const module = fileURLToPath(new URL('./support/busy-parent.mjs', import.meta.url));
    const parent = spawn(process.execPath, [module, file], { stdio: 'ignore' });
    const readPid = async (): Promise<number> =>
      Number(await readFile(file, 'utf8').catch(() => ''));
    await waitUntil(async () => (await readPid()) > 0, 'it tells its id');
    const pid = await readPid();
    assert.ok(isRunning(pid));
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await waitUntil(() => !isRunning(pid), 'it ends');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test.run();
