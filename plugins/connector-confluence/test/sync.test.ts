import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { revokedTokenFault, serverErrorFault } from '@trove/connector-kit/http/fake';
import { rejection } from '@trove/test-support/rejection.js';
import { spaceOf } from '../src/site.js';
import { storageToMarkdown } from '../src/storage.js';
import { changesSince, neverAborted, requestsOf, textAt, withConfluence } from './support.js';

const test = suite('confluence connector');
const hourMs = 3_600_000;

test('converts the storage format to Markdown', () => {
  const storage =
    '<h2>Start</h2><p>See <ac:link><ri:page ri:content-title="Setup" /><ac:plain-text-link-body><![CDATA[the setup]]></ac:plain-text-link-body></ac:link>.</p>' +
    '<ac:structured-macro ac:name="code"><ac:parameter ac:name="language">sh</ac:parameter><ac:plain-text-body><![CDATA[if a < b]]></ac:plain-text-body></ac:structured-macro>' +
    '<ac:structured-macro ac:name="info"><ac:rich-text-body><p>Careful</p></ac:rich-text-body></ac:structured-macro>';
  assert.is(
    storageToMarkdown(storage),
    '## Start\n\nSee the setup.\n\n```\nif a < b\n```\n\nCareful',
  );
});

test('lists pages and attachments as documents and comments as threads', () =>
  withConfluence(async ({ world, connector, service }) => {
    const { id } = world.create('Set up / run', '<p>First</p>');
    const comment = world.comment(id, '<p>Nice</p>');
    const file = world.attach(id, 'a b.txt', 'boom');
    const entries = await collect(connector.list({ signal: neverAborted }));
    const page = `TRV/Set up ∕ run~${id}.md`;
    const attachment = `attachments/${id}/att${file.id}-a b.txt`;
    assert.equal(
      entries.map(({ path, author }) => [path, author]),
      [
        ['comments', undefined],
        [page, 'Ann Archer'],
        [attachment, 'Ann Archer'],
      ],
    );
    assert.is(await textAt(connector, page), '# Set up / run\n\nFirst\n');
    assert.is(await textAt(connector, attachment), 'boom');
    const [record] = await collect(connector.records?.('comments', { signal: neverAborted }));
    assert.equal(record?.key, { stream: 'footer', id: String(comment.id) });
    assert.equal([record?.text, record?.thread], ['Nice', String(id)]);
    assert.match(record?.url ?? '', `${service.origin}/wiki/spaces/TRV/`);
  }));

test('sends a handful of requests if nothing changed', () =>
  withConfluence(async (open) => {
    const { world, connector } = open;
    for (let number = 1; number <= 250; number++) world.create(`Page ${number}`, '<p>Text</p>');
    world.advance(hourMs);
    const { cursor } = await changesSince(connector, undefined);
    assert.is(requestsOf(open).filter((path) => path === '/pages').length, 3);
    world.advance(hourMs);
    open.service.forget();
    const { changes } = await changesSince(connector, cursor);
    assert.equal(changes, []);
    assert.equal(requestsOf(open).toSorted(), [
      '/attachments',
      '/footer-comments',
      '/inline-comments',
      '/pages',
      '/rest/api/user/current',
      '/rest/api/user/current',
    ]);
  }));

test('finds changed, renamed and trashed pages and changed comments', () =>
  withConfluence(async ({ world, connector }) => {
    const [first, second, third] = ['One', 'Two', 'Three'].map((title) => world.create(title, ''));
    const comment = world.comment(first?.id ?? 0, '<p>Old</p>', 'inline');
    world.advance(hourMs);
    const { cursor } = await changesSince(connector, undefined);
    world.advance(hourMs);
    world.edit(first?.id ?? 0, { body: '<p>New</p>' });
    world.edit(second?.id ?? 0, { title: 'Zwei' });
    world.trash(third?.id ?? 0);
    world.editComment(comment.id, '<p>New</p>');
    const { changes } = await changesSince(connector, cursor);
    assert.equal(
      changes
        .map((change) => {
          if ('entry' in change) return change.entry.path;
          if ('removed' in change) return `-${change.removed}`;
          return 'records' in change ? change.records.map(({ text }) => text).join() : '';
        })
        .toSorted(),
      [
        `-TRV/Three~${third?.id}.md`,
        `-TRV/Two~${second?.id}.md`,
        'New',
        `TRV/One~${first?.id}.md`,
        `TRV/Zwei~${second?.id}.md`,
      ],
    );
  }));

test('removes a page that is archived', () =>
  withConfluence(async ({ world, connector }) => {
    const { id } = world.create('Old', '');
    world.advance(hourMs);
    const { cursor } = await changesSince(connector, undefined);
    world.advance(hourMs);
    world.edit(id, { status: 'archived' });
    const { changes } = await changesSince(connector, cursor);
    assert.equal(changes.at(-1), { removed: `TRV/Old~${id}.md` });
  }));

test('finds a page that is listed late', () =>
  withConfluence(async ({ world, connector }) => {
    world.advance(hourMs);
    const { cursor } = await changesSince(connector, undefined);
    world.create('Late', '', { lateMs: 300_000 });
    world.advance(60_000);
    const second = await changesSince(connector, cursor);
    world.advance(300_000);
    const third = await changesSince(connector, second.cursor);
    assert.is(second.changes.length + third.changes.length, 1);
  }));

test('limits a source to the space of its target', () =>
  withConfluence(async ({ world, connector }) => {
    world.addSpace('OPS', 'Operations');
    world.attach(world.create('Home', '').id, 'a.txt', 'a');
    const { id } = world.create('Ops', '', { space: 'OPS' });
    const file = world.attach(id, 'b.txt', 'b');
    const entries = await collect(connector.list({ signal: neverAborted }));
    assert.equal(
      entries.map(({ path }) => path),
      ['comments', `OPS/Ops~${id}.md`, `attachments/${id}/att${file.id}-b.txt`],
    );
  }, 'confluence://acme/OPS'));

test('fails with an error page instead of losing pages', () =>
  withConfluence(async ({ world, connector, service }) => {
    for (let number = 1; number <= 350; number++) world.create(`Page ${number}`, '');
    service.addFault({ ...serverErrorFault(({ path }) => path.endsWith('/pages')), times: 9 });
    const error = await rejection(() => collect(connector.list({ signal: neverAborted })));
    assert.match(error.message, '502');
  }));

test('names the missing scopes of a token', () =>
  withConfluence(async ({ connector, service }) => {
    const json = { code: 401, message: 'Unauthorized; scope does not match' };
    service.addFault({ matches: () => true, apply: () => ({ status: 401, json }) });
    const health = await connector.check?.({ signal: neverAborted });
    assert.is(health?.ok, false);
    assert.match(health?.detail ?? '', '`read:page:confluence`');
  }));

test('fails with a token that is revoked during a listing', () =>
  withConfluence(async ({ world, connector, service, model }) => {
    for (let number = 1; number <= 350; number++) world.create(`Page ${number}`, '');
    const healthy = await connector.check?.({ signal: neverAborted });
    assert.equal(healthy, { ok: true, detail: 'Connected as Ann Archer.' });
    const list = (): Promise<unknown> => collect(connector.list({ signal: neverAborted }));
    service.addFault(revokedTokenFault(model, () => true, 3));
    assert.match((await rejection(list)).message, 'does not accept the login');
    const health = await connector.check?.({ signal: neverAborted });
    assert.is(health?.ok, false);
  }));

test('fails when an answer has no list', () =>
  withConfluence(async ({ world, connector, service }) => {
    world.create('Page', '');
    service.addFault({
      matches: ({ path }) => path.endsWith('/pages'),
      apply: () => ({ json: {} }),
    });
    const error = await rejection(() => collect(connector.list({ signal: neverAborted })));
    assert.is(error.retryable, true);
    assert.match(error.message, 'is not a list');
  }));

test('reports no page as deleted after the token is revoked', () =>
  withConfluence(async ({ world, connector }) => {
    const { id } = world.create('Page', '<p>text</p>');
    const path = `TRV/Page~${id}.md`;
    await collect(connector.list({ signal: neverAborted }));
    assert.is((await rejection(() => textAt(connector, 'TRV/None~1.md'))).code, 'not_found');
    world.allowsAnonymous = true;
    world.tokens.clear();
    for (const read of [path, 'TRV/None~1.md']) {
      const error = await rejection(() => textAt(connector, read));
      assert.is(error.code, 'connector_unhealthy');
      assert.match(error.message, 'does not accept the login');
    }
  }));

test('fails when the link to a next page has no cursor', () =>
  withConfluence(async ({ connector, service }) => {
    service.addFault({
      matches: ({ path }) => path.endsWith('/api/v2/pages'),
      apply: () => ({ json: { results: [], _links: { next: '/wiki/api/v2/pages?after=2' } } }),
    });
    const error = await rejection(() => collect(connector.list({ signal: neverAborted })));
    assert.is(error.code, 'connector_unhealthy');
    assert.match(error.message, 'names a next page without a cursor');
  }));

test('keeps the key of a space that is badly encoded', () => {
  assert.is(spaceOf('/spaces/50%25/pages/1'), '50%');
  assert.is(spaceOf('/spaces/50%/pages/1'), '50%');
});

test.run();
