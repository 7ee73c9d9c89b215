import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  rateLimitFault,
  revokedTokenFault,
  truncatedFault,
  type Fault,
} from '@trove/connector-kit/http/fake';
import { rejection } from '@trove/test-support/rejection.js';
import { changesSince, entriesOf, recordsAt, withFeishu, type OpenFeishu } from './source.js';

const test = suite('Feishu connector, faults');

const isMessages: Fault['matches'] = ({ path }) => path.endsWith('/messages');
const path = 'chats/General/messages.jsonl';

/** Opens a chat whose messages take three pages. */
function withChat(use: (open: OpenFeishu) => Promise<void>): Promise<void> {
  return withFeishu(async (open) => {
    const { world } = open.fake;
    const { id } = world.addChat('General');
    for (let at = 0; at < 5; at++) world.post(id, `Message ${at}`);
    world.pageSize = 2;
    await use(open);
  });
}

for (const status of [200, 400] as const)
  test(`recognizes errors with status ${status}`, () =>
    withChat(async ({ fake, connector }) => {
      fake.world.errorStatus = status;
      fake.world.tokens.clear();
      assert.is((await recordsAt(connector, path)).length, 5);
      fake.world.tokens.clear();
      assert.is((await entriesOf(connector)).size, 1);
      fake.service.addFault(revokedTokenFault(fake.model, isMessages, 0));
      assert.match(
        (await rejection(() => recordsAt(connector, path))).message,
        'Invalid access token',
      );
    }));

test('waits as the frequency limit demands', () =>
  withChat(async ({ fake, connector }) => {
    fake.service.addFault(rateLimitFault(fake.model, isMessages, 60_000));
    const error = await rejection(() => recordsAt(connector, path));
    assert.is(error.code, 'rate_limited');
    assert.is(error.retryAfterMs, 60_000);
  }));

test('fails retryably on server errors and truncated answers', () =>
  withChat(async ({ fake, connector }) => {
    const apply = (): { status: number; json: object } => ({
      status: 500,
      json: { code: 99991500, msg: 'internal error' },
    });
    fake.service.addFault({ matches: isMessages, after: 1, apply });
    fake.service.addFault(truncatedFault(isMessages));
    for (let count = 0; count < 2; count++)
      assert.is((await rejection(() => recordsAt(connector, path))).retryable, true);
    assert.is((await recordsAt(connector, path)).length, 5);
  }));

test('keeps a chat that the bot has left', () =>
  withChat(async ({ fake, connector }) => {
    const { cursor } = await changesSince(connector);
    for (const id of fake.world.chats.keys()) fake.world.leftChats.add(id);
    const { changes } = await changesSince(connector, cursor);
    assert.not.ok(changes.some((change) => 'removed' in change));
    await rejection(() => recordsAt(connector, path));
  }));

test('reads on after an empty page', () =>
  withChat(async ({ fake, connector }) => {
    fake.service.addFault({
      matches: isMessages,
      apply: () => ({
        json: { code: 0, msg: 'success', data: { items: [], has_more: true, page_token: '2' } },
      }),
    });
    assert.is((await recordsAt(connector, path)).length, 3);
  }));

test('names a wrong secret', () =>
  withChat(async ({ fake, connector }) => {
    fake.world.secret = 'another';
    const error = await rejection(() => entriesOf(connector));
    assert.match(error.message, 'issued no access token');
  }));

test.run();
