import { build } from './build-tasks.js';
import type { BuildReply, BuildRequest } from './builder.js';
import { messageOf } from '@trove/core';
import { loadLance } from './lance.js';
import { connect } from './location.js';
import { setTextBuild } from './native-settings.js';

// The entry point of the process that builds the indices of one table.

const mib = 1024 ** 2;
const caches = { indices: 64 * mib, metadata: 32 * mib };

process.on('message', (request: BuildRequest) => void answer(request));

async function answer(request: BuildRequest): Promise<void> {
  const reply = await resultOf(request);
  process.send?.(reply);
}

async function resultOf({ options, name, task }: BuildRequest): Promise<BuildReply> {
  try {
    setTextBuild(task.kind === 'indices' ? task.size.rows : Infinity);
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
