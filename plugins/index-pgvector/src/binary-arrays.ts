/** Writes arrays in PostgreSQL's binary format, which is ten times as fast as text. */

const bigintOid = 20;
const headerBytes = 20;

/** Encodes a `bigint[]` from pairs of 32-bit halves, the higher half first. */
export function bigintArray(halves: Uint32Array): Buffer {
  const count = halves.length / 2;
  const bytes = header(count, bigintOid, headerBytes + 12 * count);
  for (let i = 0; i < count; i++) {
    const at = headerBytes + 12 * i;
    bytes.writeUInt32BE(8, at);
    bytes.writeUInt32BE(halves[2 * i] ?? 0, at + 4);
    bytes.writeUInt32BE(halves[2 * i + 1] ?? 0, at + 8);
  }
  return bytes;
}

/** Encodes a `vector[]`. The OID of the type differs between databases. All vectors must have the same dimension. */
export function vectorArray(vectors: readonly Float32Array[], oid: number): Buffer {
  const dimension = vectors[0]?.length ?? 0;
  const size = 4 + 4 * dimension;
  const bytes = header(vectors.length, oid, headerBytes + (4 + size) * vectors.length);
  let at = headerBytes;
  for (const vector of vectors) {
    bytes.writeUInt32BE(size, at);
    bytes.writeUInt16BE(dimension, at + 4);
    at += 8;
    for (const value of vector) at = bytes.writeFloatBE(value, at);
  }
  return bytes;
}

/** The header of an array with one dimension, no nulls and a lower bound of 1. */
function header(count: number, oid: number, size: number): Buffer {
  const bytes = Buffer.alloc(count === 0 ? 12 : size);
  bytes.writeUInt32BE(count === 0 ? 0 : 1, 0);
  bytes.writeUInt32BE(oid, 8);
  if (count > 0) {
    bytes.writeUInt32BE(count, 12);
    bytes.writeUInt32BE(1, 16);
  }
  return bytes;
}
