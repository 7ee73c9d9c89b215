import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { CallInput } from './caller.js';
import type { World } from './real-server.js';

type Ask = (
  operationId: string,
  input?: CallInput,
) => Promise<{ readonly data: Readonly<Record<string, unknown>> }>;

/** Moves the folder of a world away and back, and provokes the errors of moves. `shop` is a registered source. */
export async function movesSources(ask: Ask, world: World, shop: string): Promise<void> {
  const moved = join(world.root, 'moved');
  const move = async (target: string, to: string, more: object = {}): Promise<unknown> => {
    const { data } = await ask('moveConnector', { body: { target, to, ...more } });
    const id = data['job_id'];
    if (typeof id !== 'string') return data['code'];
    let status: unknown;
    do {
      const job = await ask('getJob', { params: { job_id: id } });
      ({ status } = job.data);
    } while (status === 'queued' || status === 'running');
    // Other tests leave unreadable documents in the folder.
    return status === 'partial' ? 'succeeded' : status;
  };
  await rename(world.docs, moved);
  assert.is(await move(world.docs, moved), 'succeeded');
  const { data } = await ask('search', { query: { q: 'brown fox', path: moved } });
  const [hit] = data['results'] as { source: string }[];
  assert.match(hit?.source ?? '', /\/moved\/fox\.md$/);

  const empty = join(world.root, 'empty');
  await mkdir(empty);
  const elsewhere = 'shop://elsewhere';
  const refused: readonly (readonly [string, string, string, object?])[] = [
    ['not_found', join(world.root, 'nope'), empty],
    ['source_differs', moved, empty],
    ['connector_unhealthy', moved, join(world.root, 'nope')],
    ['connector_already_registered', shop, 'shop://taken'],
    ['not_available', moved, 'nowhere://b'],
    ['config_invalid', shop, elsewhere, { config: { keey: 'x' } }],
    ['credential_error', shop, elsewhere, { config: { key: 'env:TROVE_TEST_NOT_SET' } }],
  ];
  await ask('addSource', { body: { target: 'shop://taken', config: { key: 'k' }, process: true } });
  for (const [code, target, to, more] of refused)
    assert.is(await move(target, to, more), code, `${target} to ${to}`);
  await ask('removeConnector', { query: { target: 'shop://taken' } });
  world.gate.closed = true;
  world.gate.reason = 'rate_limited';
  assert.is(await move(shop, elsewhere), 'rate_limited');
  world.gate.closed = false;
  await rename(moved, world.docs);
  assert.is(await move(moved, world.docs), 'succeeded');
}

/** Exports the definitions of all sources, and applies them without a change. `shop` is the second source. */
export async function appliesDefinitions(ask: Ask, shop: string): Promise<void> {
  const { sources } = (await ask('exportSources')).data;
  assert.equal((sources as { target: string }[])[1]?.target, shop);
  const { data } = await ask('applySources', { body: { sources, prune: true } });
  const actions = (data['changes'] as { action: string }[]).map(({ action }) => action);
  assert.equal(actions, ['none', 'none']);
}
