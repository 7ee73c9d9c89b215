import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { withoutCheckpoints, isTroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { withTimeout } from '@trove/test-support/waiting.js';
import {
  bytesAt,
  calm,
  changed,
  inWorld,
  listed,
  mbox,
  message,
  mixed,
  part,
  recordsOf,
} from './support.js';

const test = suite('mail in files');

const path = 'box/messages.jsonl';

test(
  'splits messages with any line ends and texts',
  inWorld(async (world) => {
    const body = 'First.\n\nFrom Berlin I came at noon.\n\nFrom now on: 12:30, not 2024 people.\n';
    const box = mbox(
      message({ id: 'a@x', body }),
      message({ id: 'b@x', body: 'From the start.\n>From quoted\n' }),
      message({ id: 'b@x', subject: 'Again', body: '' }),
    );
    world.write('box', box);
    const records = await recordsOf(world.connector(), path);
    assert.equal(
      records.map(({ text }) => text),
      [body.trim(), 'From the start.\n>From quoted', 'Again'],
    );
    assert.is(new Set(records.map(({ key }) => key['id'])).size, 3);

    world.write('box', box.replaceAll('\n', '\r\n'));
    const others = await recordsOf(world.connector(), path);
    assert.equal(
      others.map(({ key, text }) => ({ key, text })),
      records.map(({ key, text }) => ({ key, text })),
    );
  }),
);

test(
  'splits a file that is larger than the read buffer',
  inWorld(async (world) => {
    const line = `${'word '.repeat(15)}\n`;
    const messages = Array.from({ length: 400 }, (_, number) =>
      message({ id: `${number}@x`, body: line.repeat(1 + ((number * 37) % 200)) }),
    );
    world.write('box', mbox(...messages));
    const records = await recordsOf(world.connector(), path);
    assert.is(records.length, 400);
    for (const [number, { text, fields }] of records.entries()) {
      assert.is(fields['message_id'], `${number}@x`);
      assert.is(text, line.repeat(1 + ((number * 37) % 200)).trim());
    }
  }),
);

test(
  'ignores status headers and omits deleted messages',
  inWorld(async (world) => {
    const one = (status: string): string =>
      mbox(
        message({ id: 'a@x', headers: [`X-Mozilla-Status: ${status}`] }),
        message({ id: 'b@x', headers: ['X-Status: AF', 'Status: RO'] }),
      );
    world.write('box', one('0000'));
    const connector = world.connector();
    const [first, second] = await recordsOf(connector, path);
    assert.equal(second?.fields['flags'], ['answered', 'flagged']);
    const { cursor } = await changed(connector);
    world.write('box', one('0001'));
    assert.equal((await recordsOf(connector, path))[0]?.version, first?.version);
    assert.equal((await changed(connector, cursor)).changes, []);
    world.write('box', one('0005'));
    assert.equal((await recordsOf(connector, path))[0]?.fields['flags'], ['flagged']);
    world.write('box', one('0009'));
    assert.equal((await changed(connector, cursor)).changes, [
      { path, records: [], removedKeys: [first?.key] },
    ]);
  }),
);

test(
  'converts HTML, decodes all charsets and finds nested parts',
  inWorld(async (world) => {
    const html = '<style>p{}</style><h1>News</h1><p>See <a href="https://a.example/x">this</a></p>';
    const inner = message({ id: 'inner@x', subject: 'Forwarded', body: 'Deep inside.\n' });
    world.write(
      'box',
      mbox(
        message({
          id: 'a@x',
          subject: '=?utf-8?B?R3LDvMOfZQ==?= =?iso-8859-1?Q?_von_G=FCnter?=',
          from: '=?utf-8?Q?G=C3=BCnter?= <g@example.org>',
          headers: [
            'Content-Type: text/html; charset=iso-8859-1',
            'Content-Transfer-Encoding: quoted-printable',
          ],
          body: `${html.replaceAll('=', '=3D')}caf=E9`,
        }),
        mixed(
          [
            part(
              ['Content-Type: multipart/alternative; boundary=inner'],
              '--inner\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\nUGxhaW4g8J+Ygg==\n--inner\nContent-Type: text/html\n\n<b>not this</b>\n--inner--',
            ),
            part(['Content-Type: message/rfc822'], inner),
            part(
              [
                'Content-Type: text/csv; name=a.csv',
                'Content-Transfer-Encoding: quoted-printable',
                'Content-Disposition: attachment',
              ],
              'a,b=\n,c\nx=3Dy=20',
            ),
            part(
              [
                'Content-Type: text/plain; name=a.csv',
                'Content-Disposition: attachment; filename="../a.csv"',
              ],
              'one',
            ),
            part(['Content-Type: image/png', 'Content-ID: <logo>'], 'no name'),
          ],
          { id: 'b@x' },
        ),
      ),
    );
    const connector = world.connector();
    const [first, second] = await recordsOf(connector, path);
    assert.is(first?.title, 'Grüße von Günter');
    assert.is(first?.author, 'Günter');
    assert.is(first?.text, '# News\n\nSee [this](https://a.example/x)\n\ncafé');
    assert.is(second?.text, 'Plain 😂\n\nAttachments: message.eml, a.csv, .._a.csv');
    const [eml = '', csv = '', other = ''] = second?.attachments ?? [];
    assert.is(String(await bytesAt(connector, csv)), 'a,b,c\nx=y ');
    assert.is(String(await bytesAt(connector, other)), 'one');
    assert.is(String(await bytesAt(connector, eml)), inner.replace(/\n$/, '\n'));
    assert.equal(await listed(connector), [path, eml, csv, other].toSorted());
    assert.equal(await listed(world.connector({ attachments: false })), [path]);
  }),
);

test(
  'limits what hostile messages can produce',
  inWorld(async (world) => {
    const deep = (depth: number): string =>
      Array.from(
        { length: depth },
        (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`,
      ).join('');
    world.write(
      'box',
      mbox(
        `Message-ID: <deep@x>\n${deep(3000)}`,
        `Message-ID: <many@x>\nContent-Type: multipart/mixed; boundary=m\n\n${'--m\nContent-Type: a/b; name=x\nContent-Disposition: attachment\n\ny\n'.repeat(3000)}`,
        `Message-ID: <html@x>\nContent-Type: text/html\n\n${'<div>'.repeat(100_000)}x`,
        `Message-ID: <head@x>\n${'X: y\n'.repeat(200_000)}\nbody`,
        `Message-ID: <line@x>\n\n${'x'.repeat(5_000_000)}`,
        message({ id: 'good@x' }),
      ),
    );
    const records = await recordsOf(world.connector(), path);
    assert.equal(
      records.map(({ fields }) => fields['message_id']).filter((id) => id === 'good@x'),
      ['good@x'],
    );
    assert.is(records.length, 6);
    for (const { text, attachments = [] } of records) {
      assert.ok((text ?? '').length <= 1_001_000);
      assert.ok(attachments.length <= 200);
    }
  }),
);

test(
  'identifies threads by their first message and reads them alone',
  inWorld(async (world) => {
    world.write(
      'box',
      mbox(
        message({ id: 'a@x', subject: 'Start' }),
        message({ id: 'b@x', headers: ['In-Reply-To: <a@x>'] }),
        message({ id: 'other@x' }),
        message({ id: 'c@x', headers: ['References: <a@x>', ' <b@x>', 'In-Reply-To: <b@x>'] }),
      ),
    );
    const connector = world.connector();
    const idsIn = async (thread: string): Promise<unknown[]> =>
      (await recordsOf(connector, path, { thread })).map(({ fields }) => fields['message_id']);
    assert.equal(await idsIn('a@x'), ['a@x', 'b@x', 'c@x']);
    appendFileSync(
      join(world.path, 'box'),
      mbox(message({ id: 'd@x', headers: ['References: <a@x>'] })),
    );
    assert.equal(await idsIn('a@x'), ['a@x', 'b@x', 'c@x', 'd@x']);
    assert.equal(await idsIn('nothing'), []);
  }),
);

test(
  'names folders of Maildir and Thunderbird and ignores other files',
  inWorld(async (world) => {
    const one = {
      'cur/1.a.host:2,S': message(),
      'new/.hidden': 'x',
      'cur/2.b.host:2,ST': message(),
    };
    world.maildir('Maildir', one);
    world.maildir('Maildir/.Archive.2024', one);
    world.write('thunderbird/Inbox', mbox(message()));
    world.write('thunderbird/Inbox.msf', '// an index');
    world.write('thunderbird/Inbox.sbd/Work', mbox(message()));
    world.write('own/trove', mbox(message()));
    symlinkSync(join(world.path, 'thunderbird'), join(world.path, 'link'));
    const connector = world.connector({}, '', [join(world.path, 'own')]);
    const all = await listed(connector);
    assert.equal(all, [
      'Maildir/Archive/2024/messages.jsonl',
      'Maildir/messages.jsonl',
      'thunderbird/Inbox/Work/messages.jsonl',
      'thunderbird/Inbox/messages.jsonl',
    ]);
    for (const each of all) assert.is((await recordsOf(connector, each)).length, 1);
    const some = world.connector({ folders: ['thunderbird/Inbox'] });
    assert.is((await listed(some)).length, 2 + 0);
    assert.equal(await listed(world.connector({}, 'thunderbird/Inbox')), ['messages.jsonl']);
    const health = await world.connector({ folders: ['Nowhere'] }).check?.({ signal: calm() });
    assert.is(health?.ok, false);
    assert.match(health?.detail ?? '', /no mail folder Nowhere/);
    const own = world.connector({}, 'own', [join(world.path, 'own')]);
    const refused = await listed(own).catch((error: unknown) => error);
    assert.ok(isTroveError(refused) && refused.code === 'path_not_allowed');
  }),
);

test(
  'opens only new messages and reports removed attachments',
  inWorld(async (world) => {
    const file = part(['Content-Disposition: attachment; filename=a.txt'], 'text');
    world.maildir('Maildir', { 'cur/1.a.host:2,': mixed([file], { id: 'a@x' }) });
    world.write('box', mbox(mixed([file], { id: 'b@x' }), message({ id: 'c@x' })));
    const connector = world.connector();
    const first = await changed(connector);
    assert.is(first.changes.length, 4);
    assert.equal((await changed(connector, first.cursor)).changes, []);
    // Another process has only the cursor.
    const second = world.connector();
    assert.equal((await changed(second, first.cursor)).changes, []);

    appendFileSync(join(world.path, 'box'), mbox(message({ id: 'd@x' })));
    renameSync(
      join(world.path, 'Maildir/cur/1.a.host:2,'),
      join(world.path, 'Maildir/cur/1.a.host:2,S'),
    );
    const added = await changed(second, first.cursor);
    assert.equal(
      added.changes.map(
        (change) => 'records' in change && change.records.map(({ fields }) => fields['message_id']),
      ),
      [['d@x']],
    );

    rmSync(join(world.path, 'Maildir'), { recursive: true });
    world.write('box', mbox(message({ id: 'c@x' }), message({ id: 'd@x' })));
    const { changes, cursor } = await changed(second, added.cursor);
    const removed = changes.flatMap((change) =>
      'removed' in change ? [change.removed.replace(/[\w-]{12}/, 'ID')] : [],
    );
    assert.equal(removed.toSorted(), [
      'Maildir/attachments/ID/a.txt',
      'Maildir/messages.jsonl',
      'box/attachments/ID/a.txt',
    ]);
    assert.is(
      changes.flatMap((change) => ('records' in change ? change.removedKeys : [])).length,
      1,
    );

    // Too many for single records.
    const many = Array.from({ length: 600 }, (_, number) => message({ id: `${number}@many` }));
    appendFileSync(join(world.path, 'box'), mbox(...many));
    const last = await changed(second, cursor);
    assert.equal(
      last.changes.map((change) => 'entry' in change && change.entry.path),
      [path],
    );
  }),
);

test(
  'stores a large cursor in a file and resets when the file is lost',
  inWorld(async (world) => {
    const many = Array.from({ length: 3000 }, (_, number) => message({ id: `${number}@x` }));
    world.write('box', mbox(...many));
    const first = await changed(world.connector());
    assert.ok(JSON.stringify(first.cursor).length < 100);
    appendFileSync(join(world.path, 'box'), mbox(message({ id: 'new@x' })));
    const { changes, cursor } = await changed(world.connector(), first.cursor);
    assert.equal(
      changes.map((change) => 'records' in change && change.records.length),
      [1],
    );
    // A failed job retries with its former cursor.
    assert.is((await changed(world.connector(), first.cursor)).changes.length, 1);
    rmSync(join(world.path, '.kept'), { recursive: true });
    const again = await changed(world.connector(), cursor);
    assert.equal(again.changes[0], { reset: true });
    assert.is(again.changes.length, 2);
  }),
);

test(
  'reads a message that was renamed during the read',
  inWorld(async (world) => {
    world.maildir('Maildir', {
      'new/1.a.host': message({ id: 'a@x' }),
      'new/2.b.host': message({ id: 'b@x' }),
    });
    const connector = world.connector();
    const records = connector.records?.('Maildir/messages.jsonl', { signal: calm() });
    const read: unknown[] = [];
    for await (const { fields } of withoutCheckpoints(records ?? [])) {
      read.push(fields['message_id']);
      if (read.length === 1)
        renameSync(
          join(world.path, 'Maildir/new/2.b.host'),
          join(world.path, 'Maildir/cur/2.b.host:2,S'),
        );
    }
    assert.equal(read, ['a@x', 'b@x']);
  }),
);

test(
  'explains which targets contain mail',
  inWorld(async (world) => {
    mkdirSync(join(world.path, 'nothing'));
    const health = await world.connector({}, 'nothing').check?.({ signal: calm() });
    assert.match(health?.detail ?? '', /contains no mail\. Specify an mbox file, a Maildir/);
  }),
);

test(
  'reports new, flagged and removed mail and mailboxes',
  inWorld(async (world) => {
    world.maildir('Inbox', { 'new/1.a.host': message() });
    world.write('Old', mbox(message()));
    for (const change of [
      () => world.write('Inbox/new/2.b.host', message({ id: 'b@x' })),
      () => world.write('Inbox/cur/2.b.host:2,F', message({ id: 'b@x' })),
      () => world.write('Old', mbox(message(), message({ id: 'c@x' }))),
      () => world.maildir('Work'),
      () => world.write('Work/new/3.c.host', message({ id: 'd@x' })),
      () => rmSync(join(world.path, 'Work'), { recursive: true }),
    ]) {
      const listening = new AbortController();
      const watched = world.connector().watch?.(listening)[Symbol.asyncIterator]();
      const told = async (): Promise<unknown> => (await watched?.next())?.value;
      assert.is(await told(), '');
      const next = told();
      change();
      assert.is(await withTimeout(next, `the watch reports ${String(change)}`), '');
      const last = told().catch(() => 'over');
      listening.abort();
      assert.ok(['over', ''].includes(String(await withTimeout(last, 'it ends'))));
      await watched?.return?.();
    }
  }),
);

test.run();
