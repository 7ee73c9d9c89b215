import { Readable } from 'node:stream';
import { TroveApiError, TroveClient, type UploadBody } from '@trove/client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Host } from '../src/host.js';
import { kinds, uploadLimit } from './support/kinds.js';
import { token, withHost } from './support/server.js';

const test = suite('uploads by the TypeScript client');

const serve = (test_: (host: Host) => Promise<void>) => withHost({}, test_, { routes: kinds });

function upload(host: Host, body: UploadBody, contentType = 'application/x-tar'): Promise<unknown> {
  const { http } = new TroveClient({ baseUrl: host.url, token });
  return http.json({ method: 'PUT', path: '/kinds/upload', upload: { contentType, body } });
}

async function failure(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('the call did not fail');
}

const pieceBytes = 64 * 1024;

/** Pieces up to a number of bytes, followed by the given action. */
async function* pieces(bytes: number, after = (): void => {}): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < bytes; sent += pieceBytes) yield new Uint8Array(pieceBytes);
  after();
}

test('any source of bytes can be sent', () =>
  serve(async (host) => {
    const bytes = 20 * pieceBytes;
    const sources: readonly UploadBody[] = [
      pieces(bytes),
      Readable.from(pieces(bytes)),
      new Response(new Uint8Array(bytes)).body ?? new Uint8Array(0),
      new Uint8Array(bytes),
      new Blob([new Uint8Array(bytes)]),
    ];
    for (const source of sources) {
      assert.equal(await upload(host, source), { type: 'application/x-tar', bytes });
    }
  }));

test('a refusal arrives while the client is still sending', () =>
  serve(async (host) => {
    for (const [type, code] of [
      ['application/x-tar', 'payload_too_large'],
      ['application/json', 'unsupported_media_type'],
    ] as const) {
      const error = await failure(upload(host, pieces(20 * uploadLimit), type));
      assert.instance(error, TroveApiError);
      assert.is(error instanceof TroveApiError && error.code, code);
    }
  }));

test('the call throws the error of the source', () =>
  serve(async (host) => {
    const fault = new Error('the file has changed');
    const failing = () =>
      pieces(20 * pieceBytes, () => {
        throw fault;
      });
    for (const source of [failing(), Readable.from(failing())]) {
      assert.is(await failure(upload(host, source)), fault);
    }
  }));

test.run();
