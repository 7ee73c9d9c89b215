import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTroveError } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTrove } from '../src/index.js';

interface World {
  root: string;
  mail: string;
  target: string;
  trove: Engine;
}

const test = suite<World>('mail as a source');

test.before.each(async (context) => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'trove-mail-')));
  const mail = join(root, 'Maildir');
  for (const folder of ['cur', 'new', 'tmp']) await mkdir(join(mail, folder), { recursive: true });
  Object.assign(context, { root, mail, target: `mbox://local${mail}` });
  const letter = ['Content-Type: text/html; name=letter.html', 'Content-Disposition: attachment'];
  await write(context, '1.a.host', {
    id: 'first@x',
    subject: 'The harbour',
    from: 'Ada <ada@example.org>',
    type: 'multipart/mixed; boundary=b',
    body: `--b\n\nThe lighthouse keeper counts ships.\n--b\n${letter.join('\n')}\n\n<h1>Letter</h1><p>A windmill for sale.</p>\n--b--\n`,
  });
  await write(context, '2.b.host', {
    id: 'second@x',
    subject: 'Re: The harbour',
    from: 'Ben <ben@example.org>',
    references: '<first@x>',
    body: 'Does he count the ferries, too?\n',
  });
  context.trove = await createTrove({ home: join(root, 'home') });
});
test.after.each(async ({ root, trove }) => {
  await trove.close();
  await rm(root, { recursive: true, force: true });
});

interface Written {
  readonly id: string;
  readonly subject: string;
  readonly from: string;
  readonly body: string;
  readonly references?: string;
  readonly type?: string;
}

async function write(
  { mail }: Pick<World, 'mail'>,
  name: string,
  { id, subject, from, body, references, type }: Written,
): Promise<void> {
  const headers = [
    `Message-ID: <${id}>`,
    `From: ${from}`,
    'To: Cleo <cleo@example.org>',
    `Subject: ${subject}`,
    'Date: Thu, 29 Feb 2024 12:00:00 +0000',
    ...(references === undefined ? [] : [`References: ${references}`]),
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
  ];
  await writeFile(join(mail, 'new', name), `${headers.join('\n')}\n\n${body}`);
}

async function sync({ trove, target }: World): Promise<string> {
  const { job_id: id } = await trove.add({ target, process: true });
  return (await trove.job(id)).status;
}

test('finds and opens conversations and attachments, and follows changes', async (world) => {
  const { trove, target, mail } = world;
  assert.is(await sync(world), 'succeeded');
  const messages = `${target}/messages.jsonl`;
  const best = async (q: string, filter?: string) =>
    (await trove.search({ q, ...(filter === undefined ? {} : { filter }) })).results[0];
  const opened = async (hit: Awaited<ReturnType<typeof best>>): Promise<string> =>
    (await trove.cat({ path: hit?.source ?? '', locator: JSON.stringify(hit?.locator) })).content;

  const hit = await best('counting ferries');
  assert.is(hit?.source, messages);
  const conversation = await opened(hit);
  assert.match(conversation, 'lighthouse keeper');
  assert.match(conversation, 'ferries');
  const letter = await best('windmill');
  assert.match(letter?.source ?? '', /attachments\/[^/]+\/letter\.html$/);
  assert.match(await opened(letter), '# Letter');

  const { results: matches } = await trove.grep({ pattern: 'ferries' });
  assert.is(matches[0]?.source, messages);
  const one = await trove.cat({ path: messages, locator: JSON.stringify(matches[0]?.locator) });
  assert.match(one.content, 'Does he count the ferries');

  await write(world, '3.c.host', {
    id: 'third@x',
    subject: 'Re: The harbour',
    from: 'Ada <ada@example.org>',
    references: '<first@x> <second@x>',
    body: 'Every zeppelin, even.\n',
  });
  assert.is(await sync(world), 'succeeded');
  const answered = await opened(await best('zeppelin'));
  for (const text of ['lighthouse', 'ferries', 'zeppelin']) assert.match(answered, text);

  await rm(join(mail, 'new', '1.a.host'));
  assert.is(await sync(world), 'succeeded');
  const left = await opened(await best('zeppelin'));
  assert.not.match(left, 'lighthouse');
  assert.equal((await trove.search({ q: 'windmill', mode: 'keyword' })).results, []);
});

test('a folder without mail is refused and not registered', async ({ root, trove }) => {
  const refusal = async (path: string): Promise<string> =>
    trove.add({ target: `mbox://local${join(root, path)}`, process: true }).then(
      () => 'none',
      (error: unknown) =>
        isTroveError(error)
          ? [error.code, error.detail, ...error.suggestions].join(' ')
          : String(error),
    );
  assert.match(
    await refusal('nowhere'),
    /^connector_unhealthy .* does not exist\. Specify an mbox file/,
  );
  assert.match(
    await refusal('Maildir/tmp'),
    /^connector_unhealthy .* contains no mail\. Specify .*folder that contains them\.$/,
  );
  assert.match(await refusal('home'), /^path_not_allowed/);
  assert.equal((await trove.status({})).connectors, []);
});

test.run();
