// test-waits
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('processes in the place of threads');

const deadlineMs = 30_000;

async function until<T>(look: () => Promise<T | null> | T | null): Promise<T> {
  for (const started = performance.now(); performance.now() - started < deadlineMs;) {
    const seen = await look();
    if (seen !== null) return seen;
    await sleep(20);
  }
  throw new Error('it did not happen in time');
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('one that computes without end ends once its parent was killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trove-processes-'));
  try {
    const file = join(folder, 'pid');
    const module = fileURLToPath(new URL('./support/busy-parent.mjs', import.meta.url));
    const parent = spawn(process.execPath, [module, file], { stdio: 'ignore' });
    const pid = await until(
      async () => Number(await readFile(file, 'utf8').catch(() => '')) || null,
    );
    assert.ok(isRunning(pid));
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await until(() => (isRunning(pid) ? null : true));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test.run();
