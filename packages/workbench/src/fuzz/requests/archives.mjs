import { gzipSync } from 'node:zlib';

import * as fc from 'fast-check';

const block = 512;
const names = [
  'a.txt',
  'b/c.md',
  './d.txt',
  'e',
  '../f',
  '/etc/g',
  'a/../h',
  'i/',
  '',
  'n'.repeat(100),
];
/** Mostly files, but also folders, links, devices, and headers of the next member. */
const types = '0 0 0 0 0 0 0 0 0 0 5 5 1 2 3 4 6 x g L K S Z \0'.split(' ');

const member = fc.record({
  name: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...names) },
    fc.string({ maxLength: 100 }),
  ),
  type: fc.constantFrom(...types),
  content: fc.oneof(fc.string({ maxLength: 2000 }), fc.constant('30 path=../../../etc/passwd\n')),
  /** A false size in the header. */
  size: fc.option(fc.constantFrom(0, 1, 2 ** 20, 2 ** 32), { freq: 12 }),
});

const meta = fc.record({
  name: fc.constantFrom('.trove-meta.json', '.x-meta.json', 'meta.json'),
  content: fc
    .record({
      hashes: fc.array(
        fc.record({
          path: fc.constantFrom(...names),
          sha1: fc.constantFrom('0'.repeat(40), 'da39a3ee5e6b4b0d3255bfef95601890afd80709'),
          size: fc.nat(10),
          mtime_ns: fc.oneof(fc.nat(), fc.constant('1700000000123456789')),
          inode: fc.option(fc.nat()),
        }),
        { maxLength: 4 },
      ),
      renames: fc.array(
        fc.record({
          old: fc.constantFrom(...names),
          new: fc.constantFrom(...names),
          sha1: fc.constant('0'.repeat(40)),
        }),
        { maxLength: 3 },
      ),
      deletions: fc.array(fc.constantFrom(...names), { maxLength: 3 }),
    })
    .map((value) => JSON.stringify(value)),
  type: fc.constant('0'),
  size: fc.constant(null),
});

/** Archives that the server must accept. */
const sound = fc
  .uniqueArray(fc.tuple(fc.constantFrom('a.txt', 'b/c.md', 'b/d', 'e'), fc.string()), {
    maxLength: 4,
    selector: ([name]) => name,
  })
  .map((files) => {
    const members = files.map(([name, content]) => ({ name, content, type: '0', size: null }));
    return new Uint8Array(Buffer.concat([...members.map(bytesOf), Buffer.alloc(2 * block)]));
  });

/** Hostile, truncated and damaged archives. */
const unsound = fc
  .record({
    first: fc.option(meta),
    members: fc.array(member, { maxLength: 6 }),
    hasEnd: fc.boolean(),
    isZipped: fc.boolean(),
    lost: fc.option(fc.nat(2000), { freq: 6 }),
  })
  .map(({ first, members, hasEnd, isZipped, lost }) => {
    const all = first === null ? members : [first, ...members];
    const tar = Buffer.concat([...all.map(bytesOf), Buffer.alloc(hasEnd ? 2 * block : 0)]);
    const packed = isZipped ? gzipSync(tar) : tar;
    const kept = lost === null ? packed : packed.subarray(0, packed.length - lost);
    return new Uint8Array(kept.length === 0 ? Buffer.alloc(block) : kept);
  });

/** Archives as bytes. */
export const archives = fc.oneof(sound, { weight: 2, arbitrary: unsound });

function bytesOf({ name, type, content, size }) {
  const bytes = Buffer.from(content);
  const header = Buffer.alloc(block);
  const octal = (value, at, width) => header.write(value.toString(8).padStart(width - 1, '0'), at);
  header.write(name, 0, 100);
  octal(0o644, 100, 8);
  octal(size ?? bytes.length, 124, 12);
  octal(1_700_000_000, 136, 12);
  header.write(' '.repeat(8), 148);
  header.write(type, 156);
  header.write('ustar\u000000', 257);
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return Buffer.concat([header, bytes, Buffer.alloc((block - (bytes.length % block)) % block)]);
}

/** A listed file as a client sees it. */
export const listedFiles = fc.uniqueArray(
  fc.record(
    {
      path: fc
        .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 })
        .map((text) => `a${text.replaceAll('/', '_')}`),
      size: fc.nat(1000),
      mtime_ns: fc.oneof(fc.nat(), fc.constant('1700000000123456789')),
      inode: fc.option(fc.nat()),
    },
    { requiredKeys: ['path', 'size', 'mtime_ns'], noNullPrototype: true },
  ),
  { maxLength: 20, selector: ({ path }) => path },
);
