import { gzipSync } from 'node:zlib';

import { longNamed, memberOf, tarEnd, tarOf } from '../../../../server/test/support/archives.ts';

const MIB = 2 ** 20;
const TIB = 2 ** 40;
const PIECE = 64 * MIB;
const PIECES = 160;
const FOLDERS = 10_000;

/** Archives that a server must refuse: `{ name, body }`. */
export function hostileArchives() {
  return [
    { name: 'a bomb of 10 GB', body: bomb() },
    {
      name: `a path of ${FOLDERS.toLocaleString('en')} folders`,
      body: Buffer.concat([longNamed('d/'.repeat(FOLDERS), 'x'), tarEnd]),
    },
    {
      name: 'a header that claims 1 TB',
      body: Buffer.concat([memberOf({ name: 'large', size: TIB }), Buffer.alloc(MIB)]),
    },
    {
      name: 'a sparse header of 1 TB',
      body: Buffer.concat([memberOf({ name: 'sparse', type: 'S', size: TIB }), Buffer.alloc(MIB)]),
    },
    { name: 'a truncated gzip', body: cut() },
  ];
}

/** As gzip packs in parts: each part is whole, and the archive 10 GB of zeros. */
function bomb() {
  const zeros = gzipSync(Buffer.alloc(PIECE), { level: 9 });
  const head = gzipSync(memberOf({ name: 'zeros', size: PIECE * PIECES }));
  return Buffer.concat([head, ...Array.from({ length: PIECES }, () => zeros), gzipSync(tarEnd)]);
}

function cut() {
  const whole = gzipSync(tarOf({ name: 'a.txt', content: 'some text '.repeat(MIB) }));
  return whole.subarray(0, whole.length >> 1);
}
