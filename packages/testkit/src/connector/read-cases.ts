import { expect, expectEqual, expectError, expectRejection } from '../expect.js';
import { connectorCase, withTimeout } from './connector-case.js';
import { byteObjects, first } from './contents.js';
import { bytesAt, listing, overwriteTransferred, rangeAt } from './open.js';

const abortMs = 10_000;

/** Requirements on reading bytes. */
export const readCases = [
  connectorCase(
    'reads-exact-bytes',
    'gives the bytes of each object, to the last one',
    ['read'],
    async (connector, subject) => {
      for (const { path, bytes } of byteObjects(subject)) {
        expectSameBytes(await bytesAt(connector, path), bytes, path);
      }
    },
  ),
  connectorCase(
    'size-is-length',
    'lists the number of bytes that reading gives, or null',
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
    'answers `not_found` for a path where there is nothing, and names it',
    ['read'],
    async (connector, { absent }) => {
      const error = await expectError(bytesAt(connector, absent), 'not_found', 'reading nothing');
      expect(error.detail.includes(absent), 'the error does not say which path was not found');
    },
  ),
  connectorCase(
    'reads-ranges',
    'says with which byte begins what it gives of a range, and gives all of that range',
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
          expect(start <= range.start, `${what}: begins after them`);
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
    'gives-for-good',
    'needs nothing any more of the bytes that it says are given',
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
    'answers `not_found` for a range of a path where there is nothing',
    ['read'],
    async (connector, { absent }) => {
      const range = rangeAt(connector, absent, { start: 0, end: 1 });
      await expectError(range, 'not_found', 'reading a range of nothing');
    },
  ),
  connectorCase(
    'reads-do-not-mix',
    'serves many reads at once',
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
    'reads-what-changed',
    'gives the new bytes of an object that was changed',
    ['read', 'change'],
    async (connector, subject) => {
      const { path } = first(byteObjects(subject), 'object with bytes');
      const before = await bytesAt(connector, path);
      await subject.change?.(path);
      const after = await bytesAt(connector, path);
      expect(!before.equals(after), `${path}: was changed, but reads as before`);
      const size = (await listing(connector)).get(path)?.size ?? null;
      if (size !== null) expectEqual(size, after.length, `${path}: size after the change`);
    },
  ),
  connectorCase(
    'abort-before-reading',
    'reads nothing once the signal is aborted',
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
    'reads nothing outside of its source, however the path is spelled',
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
    'reads what is there after a read that failed',
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
  expect(actual !== undefined && expected !== undefined, `${what}: nothing was read`);
  expectEqual(actual.length, expected.length, `${what}: number of bytes`);
  expect(Buffer.from(expected).equals(actual), `${what}: other bytes than the source holds`);
}
