import { CallPool } from '@trove/runtime/workers';

// Starts a busy process and waits. The argument is the file for the id of that process.

const [, , file] = process.argv;
const say = () => undefined;
const pool = new CallPool({
  module: new URL('./busy-process.mjs', import.meta.url),
  setup: {},
  process: { growthMiB: 500 },
  size: 1,
  heapMiB: 100,
  logger: { debug: say, info: say, warn: say, error: say },
  transferListOf: () => [],
});
await pool.run('spin', { file });
