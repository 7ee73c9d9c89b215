// Packs our packages into a temporary folder, prints its path, and removes it when standard input ends, even if the
// parent process dies.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { packedList, packAll } from './packed.mjs';

const ended = new Promise((resolve) => process.stdin.resume().once('close', resolve));
const folder = mkdtempSync(join(tmpdir(), 'trove-packed-'));
try {
  writeFileSync(join(folder, packedList), JSON.stringify(await packAll(folder)));
  console.log(folder);
  await ended;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
