import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { writeTree } from '../../bench/tree/tree.mjs';

const fileCount = 60;
const largeLines = 60_000;

/** Writes the source that stays unchanged during a run: ordinary files and some special ones. The same in every run. */
export function writeSteady({ steady, outside }) {
  writeTree(steady, { files: fileCount, seed: 1 });
  const files = {
    'README.md': '# The store\n\nA fox and a hen.\n\n## Zoo\n\nLions sleep at noon.\n',
    'odd name #1 100% é.md': '# Odd\n\nA name with a hash, a percent sign and an accent.\n',
    'empty.txt': '',
    'one-line.js': `const table=[${Array.from({ length: 20_000 }, (_, at) => at).join(',')}];`,
    'rows.csv': `id,name\n${Array.from({ length: 300 }, (_, at) => `${at},name ${at}`).join('\n')}\n`,
    'data.json': JSON.stringify({ list: [1, 2, 3], nested: { text: 'a fox', none: null } }),
    'picture.png': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    'utf16.txt': Buffer.from('\ufeffa fox in sixteen bits\n', 'utf16le'),
    'broken.txt': Buffer.concat([Buffer.from('a fox \n'), Buffer.from([0xff, 0xfe, 0xc3, 0x0a])]),
    'trap.txt': `${'a'.repeat(5000)}!\n${'ab'.repeat(5000)}\n`,
    'large.log': Array.from({ length: largeLines }, (_, at) => `line ${at} of the large log`).join(
      '\n',
    ),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(steady, name), content);
  symlinkSync(join(outside, 'private.txt'), join(steady, 'way-out.txt'));
  symlinkSync(outside, join(steady, 'way-out'));
  symlinkSync('.', join(steady, 'loop'));
}
