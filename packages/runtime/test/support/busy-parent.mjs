import { CallPool } from '@trove/runtime/workers';

// A process that has a process of its own compute without end, and waits. Its argument: the file for the other's number.

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
