import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { CallInput } from './caller.js';
import type { World } from './real-server.js';

type Ask = (
  operationId: string,
  input?: CallInput,
) => Promise<{ readonly data: Readonly<Record<string, unknown>> }>;

type ExpectCode = (code: string, operationId: string, input?: CallInput) => Promise<void>;

/** Backs up the server of a world, and provokes the errors of backups. */
export async function backsUp(ask: Ask, expectCode: ExpectCode, world: World): Promise<void> {
  assert.is((await ask('getBackup')).data['status'], 'none');
  const to = join(world.root, 'backup');
  assert.is((await ask('startBackup', { body: { to } })).data['status'], 'running');
  await expectCode('backup_running', 'startBackup', { body: { to: join(world.root, 'second') } });
  await expectCode('validation_error', 'startBackup', { body: { to: world.docs } });
  let state;
  do state = (await ask('getBackup')).data;
  while (state['status'] === 'running');
  assert.is(state['status'], 'succeeded', JSON.stringify(state));
}
