import { rmSync } from 'node:fs';
import { setPriority } from 'node:os';
import { build } from './build-tasks.js';
import type { BuildReply, BuildRequest } from './builder.js';
import { messageOf } from '@trove/core';
import { loadLance } from './lance.js';
import { connect } from './location.js';
import { setTextThreads } from './native-settings.js';

// The entry point of a process that builds what one table needs. Its argument: a folder that is its own, for what is sorted.

const MIB = 1024 ** 2;
const caches = { indices: 64 * MIB, metadata: 32 * MIB };

try {
  // The native library's threads, which start later, inherit it.
  setPriority(15);
} catch {
  // Not permitted here; equal priority works too.
}
// A signal to the whole group is for the parent, which says when to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
// An orphan would go on for nobody, and a plain exit would wait for its native threads.
process.once('disconnect', () => {
  const [, , folder] = process.argv;
  try {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
});
process.on('message', (request: BuildRequest) => void answer(request));

async function answer(request: BuildRequest): Promise<void> {
  const reply = await resultOf(request);
  process.send?.(reply);
}

async function resultOf({ options, name, task }: BuildRequest): Promise<BuildReply> {
  try {
    setTextThreads(task.kind === 'indices' && task.atOnce);
    const lance = loadLance();
    const connection = await connect(lance, options, caches);
    const table = await connection.openTable(name);
    try {
      return { ok: true, merged: await build(lance, table, task) };
    } finally {
      table.close();
      connection.close();
    }
  } catch (error) {
    return { ok: false, error: messageOf(error) };
  }
}
