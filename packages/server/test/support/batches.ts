import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { CallInput } from './caller.js';
import type { World } from './real-server.js';

type Ask = (
  operationId: string,
  input: CallInput,
) => Promise<{ readonly data: Readonly<Record<string, unknown>> }>;

/** Calls the batches and compares the outcome of each request. */
export async function answersBatches(ask: Ask, { docs, root }: World): Promise<void> {
  const outcomes = async (operationId: string, body: object) => {
    const { data } = await ask(operationId, { body });
    const results = data['results'] as { ok: boolean; error?: { code: string } }[];
    return results.map(({ ok, error }) => error?.code ?? ok);
  };
  const fox = join(docs, 'fox.md');
  const queries = [
    { q: 'brown fox', snippet: 80 },
    { q: 'fox', path: join(root, 'nope') },
    { q: 'fern' },
  ];
  assert.equal(await outcomes('searchBatch', { queries }), [true, 'not_found', true]);
  const reads = [{ path: fox }, { path: join(docs, 'deep') }, { path: fox, meta: true }];
  assert.equal(await outcomes('readBatch', { reads }), [true, 'is_directory', true]);
  const tooMuch = [{ path: fox }, { path: join(docs, 'large.txt'), bytes: '0:9000' }];
  assert.equal(await outcomes('readBatch', { reads: tooMuch, max_bytes: 5000 }), [
    true,
    'payload_too_large',
  ]);
}
