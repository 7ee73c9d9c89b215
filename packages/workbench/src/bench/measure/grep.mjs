import { spawnSync } from 'node:child_process';

import { askOnce } from '../child.mjs';
import { median } from '../statistics.mjs';

/** The first search of a very large folder starts a filter, which the later half of the runs has. */
const runCount = 41;

/** Returns the milliseconds of a grep over HTTP, and of ripgrep or, without it, of reading all files in Node. */
export async function measureGrep(client, folder, literal) {
  const path = `/v1/grep?${new URLSearchParams({ pattern: literal, path: folder })}`;
  const times = [];
  for (let run = 0; run < runCount; run++) {
    const started = performance.now();
    const { results } = await client.get(path);
    times.push(performance.now() - started);
    if (results.length === 0) throw new Error(`grep did not find "${literal}"`);
  }
  return { ms: median(times), ...(await floorOf(folder, literal)) };
}

async function floorOf(folder, literal) {
  const version = ripgrepVersion();
  if (version !== undefined) {
    const times = Array.from({ length: runCount }, () => ripgrep(folder, literal));
    return { floorMs: median(times), ripgrep: version };
  }
  const { times } = await askOnce('floors/read-files.mjs', { folder, literal, runs: runCount });
  return { floorMs: median(times), ripgrep: undefined };
}

function ripgrep(folder, literal) {
  const started = performance.now();
  const { status } = spawnSync('rg', ['--fixed-strings', '--line-number', '--', literal, folder]);
  if (status !== 0) throw new Error(`ripgrep did not find "${literal}"`);
  return performance.now() - started;
}

function ripgrepVersion() {
  const { status, stdout } = spawnSync('rg', ['--version'], { encoding: 'utf8' });
  return status === 0 ? /\d+\.\d+\.\d+/.exec(stdout)?.[0] : undefined;
}
