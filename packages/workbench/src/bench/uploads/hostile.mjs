import { gzipSync } from 'node:zlib';

import { longNamed, memberOf, tarEnd, tarOf } from '../../../../server/test/support/archives.ts';

const mib = 2 ** 20;
const tib = 2 ** 40;
const piece = 64 * mib;
const pieces = 160;
const folderCount = 10_000;

/** Returns archives that a server must reject: `{ name, body }`. */
export function hostileArchives() {
  return [
    { name: 'a bomb of 10 GB', body: bomb() },
    {
      name: `a path of ${folderCount.toLocaleString('en')} folders`,
      body: Buffer.concat([longNamed('d/'.repeat(folderCount), 'x'), tarEnd]),
    },
    {
      name: 'a header that claims 1 TB',
      body: Buffer.concat([memberOf({ name: 'large', size: tib }), Buffer.alloc(mib)]),
    },
    {
      name: 'a sparse header of 1 TB',
      body: Buffer.concat([memberOf({ name: 'sparse', type: 'S', size: tib }), Buffer.alloc(mib)]),
    },
    { name: 'a truncated gzip', body: cut() },
  ];
}

/** Concatenated gzip members, each complete, that expand to 10 GB of zeros. */
function bomb() {
  const zeros = gzipSync(Buffer.alloc(piece), { level: 9 });
  const head = gzipSync(memberOf({ name: 'zeros', size: piece * pieces }));
  return Buffer.concat([head, ...Array.from({ length: pieces }, () => zeros), gzipSync(tarEnd)]);
}

function cut() {
  const whole = gzipSync(tarOf({ name: 'a.txt', content: 'some text '.repeat(mib) }));
  return whole.subarray(0, whole.length >> 1);
}
