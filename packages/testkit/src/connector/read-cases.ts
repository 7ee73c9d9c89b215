import { expect, expectEqual, expectError, expectRejection } from '../expect.js';
import { connectorCase, withTimeout } from './connector-case.js';
import { byteObjects, first } from './contents.js';
import { bytesAt, listing, overwriteTransferred, rangeAt } from './open.js';

const abortMs = 10_000;

/** Requirements on reading bytes. */
export const readCases = [
  connectorCase(
    'reads-exact-bytes',
    'returns all bytes of each object',
    ['read'],
    async (connector, subject) => {
      for (const { path, bytes } of byteObjects(subject)) {
        expectSameBytes(await bytesAt(connector, path), bytes, path);
      }
    },
  ),
  connectorCase(
    'size-is-length',
    'lists the number of bytes that a read returns, or null',
    ['read'],
    async (connector, subject) => {
      const listed = await listing(connector);
      for (const { path, bytes } of byteObjects(subject)) {
        const size = listed.get(path)?.size ?? null;
        if (size !== null) expectEqual(size, bytes.length, `${path}: size`);
      }
    },
  ),
  connectorCase(
    'absent-is-not-found',
    'throws `not_found` with the path for a missing object',
    ['read'],
    async (connector, { absent }) => {
      const error = await expectError(bytesAt(connector, absent), 'not_found', 'reading nothing');
      expect(error.detail.includes(absent), 'the error does not name the missing path');
    },
  ),
  connectorCase(
    'reads-ranges',
    'returns all bytes of a range and their start',
    ['read'],
    async (connector, subject) => {
      for (const { path, bytes } of byteObjects(subject)) {
        const { length } = bytes;
        const middle = Math.floor(length / 2);
        for (const range of [
          { start: 0, end: middle },
          { start: middle, end: middle + 1 },
          { start: middle },
          { start: middle, end: length + 10 },
          { start: length },
        ]) {
          const { start, bytes: given } = await rangeAt(connector, path, range);
          const what = `${path}, bytes ${range.start} to ${range.end ?? 'the last'}`;
          expect(start <= range.start, `${what}: begins after the range`);
          expectSameBytes(
            given.subarray(range.start - start, (range.end ?? length) - start),
            bytes.subarray(range.start, range.end),
            what,
          );
        }
      }
    },
  ),
  connectorCase(
    'transfers-bytes',
    'does not depend on transferred bytes afterwards',
    ['read'],
    async (connector, subject) => {
      for (const { path } of byteObjects(subject)) {
        const before = await bytesAt(connector, path);
        await overwriteTransferred(connector, path);
        expectSameBytes(await bytesAt(connector, path), before, `${path}, read again`);
      }
    },
  ),
  connectorCase(
    'absent-has-no-ranges',
    'throws `not_found` for a range of a missing object',
    ['read'],
    async (connector, { absent }) => {
      const range = rangeAt(connector, absent, { start: 0, end: 1 });
      await expectError(range, 'not_found', 'reading a range of a missing object');
    },
  ),
  connectorCase(
    'reads-do-not-mix',
    'serves concurrent reads',
    ['read'],
    async (connector, subject) => {
      const paths = byteObjects(subject).map(({ path }) => path);
      const alone: Buffer[] = [];
      for (const path of paths) alone.push(await bytesAt(connector, path));
      const together = await Promise.all(paths.map((path) => bytesAt(connector, path)));
      paths.forEach((path, at) => {
        expectSameBytes(together[at], alone[at], `${path}, read with others`);
      });
    },
  ),
  connectorCase(
    'reads-changed-objects',
    'returns the new bytes of a changed object',
    ['read', 'change'],
    async (connector, subject) => {
      const { path } = first(byteObjects(subject), 'object with bytes');
      const before = await bytesAt(connector, path);
      await subject.change?.(path);
      const after = await bytesAt(connector, path);
      expect(!before.equals(after), `${path}: returns the old bytes after a change`);
      const size = (await listing(connector)).get(path)?.size ?? null;
      if (size !== null) expectEqual(size, after.length, `${path}: size after the change`);
    },
  ),
  connectorCase(
    'abort-before-reading',
    'reads nothing after an abort',
    ['read'],
    async (connector, subject) => {
      const { path } = first(byteObjects(subject), 'object with bytes');
      const read = async (): Promise<unknown> =>
        connector.read?.(path, { signal: AbortSignal.abort() });
      await withTimeout(
        expectRejection(read(), 'reading with an aborted signal'),
        'abort',
        abortMs,
      );
    },
  ),
  connectorCase(
    'stays-inside',
    'reads nothing outside its source for any spelling of a path',
    ['read'],
    async (connector, subject) => {
      const { path } = first(byteObjects(subject), 'object with bytes');
      for (const hostile of ['../../etc/passwd', `x/../${path}`, `/${path}`, '..', `${path}\0`]) {
        await expectError(bytesAt(connector, hostile), 'not_found', `reading "${hostile}"`);
      }
    },
  ),
  connectorCase(
    'reads-after-failure',
    'reads an object after a failed read',
    ['read'],
    async (connector, subject) => {
      const { path } = first(byteObjects(subject), 'object with bytes');
      const before = await bytesAt(connector, path);
      await expectRejection(bytesAt(connector, subject.absent), 'reading nothing');
      expectSameBytes(await bytesAt(connector, path), before, path);
    },
  ),
];

function expectSameBytes(
  actual: Uint8Array | undefined,
  expected: Uint8Array | undefined,
  what: string,
): void {
  expect(actual !== undefined && expected !== undefined, `${what}: returned nothing`);
  expectEqual(actual.length, expected.length, `${what}: number of bytes`);
  expect(Buffer.from(expected).equals(actual), `${what}: the bytes differ from the source`);
}
