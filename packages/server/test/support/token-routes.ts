import * as assert from 'uvu/assert';
import type { CallInput } from './caller.js';

type Ask = (
  operationId: string,
  input?: CallInput,
) => Promise<{ readonly data: Readonly<Record<string, unknown>> }>;

/** Uses every operation of tokens, and provokes their errors. */
export async function usesTokens(ask: Ask): Promise<void> {
  const params = { name: 'ci' };
  const codeOf = async (id: string, input: CallInput): Promise<unknown> =>
    (await ask(id, input)).data['code'];
  const created = await ask('createToken', { body: params });
  assert.match(String(created.data['token']), /^trove_/);
  assert.is(await codeOf('createToken', { body: params }), 'token_exists');
  const rotated = await ask('rotateToken', { params, body: {} });
  assert.match(String(rotated.data['token']), /^trove_/);
  assert.is(JSON.stringify((await ask('listTokens')).data).split('"name":"ci"').length, 3);
  assert.is((await ask('revokeToken', { params })).data['revoked'], 2);
  assert.is(await codeOf('rotateToken', { params, body: {} }), 'not_found');
  assert.is(await codeOf('revokeToken', { params }), 'not_found');
}
