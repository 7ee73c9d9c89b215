// test-waits
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemoryEmbedder } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noMailServer, startMailServer } from '@trove/test-support/mail-server.js';
import { MailAccount } from '@trove/test-support/mail-account.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { testUnless } from '@trove/test-support/skips.js';
import type { Trove } from '../src/index.js';
import { embeddedInMemory } from './support/embedded-in-memory.js';

interface Context {
  account: MailAccount;
  embedder: MemoryEmbedder;
  root: string;
  trove: Trove;
}

const test = suite<Context>('mail on a server as a source');
const onServer = testUnless(noMailServer, test);
const variable = 'TROVE_TEST_MAIL_PASSWORD';
const config = { password: `env:${variable}` };

if (noMailServer === null) {
  const server = await startMailServer();
  process.env[variable] = server.password;
  test.after(async () => {
    delete process.env[variable];
    await server.stop();
  });
  test.before.each(async (context) => {
    const root = await mkdtemp(join(tmpdir(), 'trove-imap-source-'));
    // Embeddings are cached.
    const opened = await embeddedInMemory(root, 'semantic');
    Object.assign(context, { account: new MailAccount(server), root, ...opened });
  });
  test.after.each(async ({ account, root, trove }) => {
    await trove.close();
    await account.leave();
    await rm(root, { recursive: true, force: true });
  });
}

interface Written {
  readonly id: string;
  readonly body: string;
  readonly answers?: string;
  readonly file?: { readonly name: string; readonly type: string; readonly bytes: string };
}

function message({ id, body, answers, file }: Written): string {
  const headers = [
    `Message-ID: <${id}>`,
    'From: Ada <ada@example.org>',
    'To: Cleo <cleo@example.org>',
    'Subject: The harbour',
    'Date: Thu, 29 Feb 2024 12:00:00 +0000',
    ...(answers === undefined ? [] : [`References: <${answers}>`]),
    'MIME-Version: 1.0',
  ];
  if (file === undefined) return `${headers.join('\n')}\n\n${body}\n`;
  const attached = [
    `Content-Type: ${file.type}; name=${file.name}`,
    'Content-Disposition: attachment',
    'Content-Transfer-Encoding: base64',
  ];
  const bytes = Buffer.from(file.bytes).toString('base64');
  const parts = `--b\n\n${body}\n--b\n${attached.join('\n')}\n\n${bytes}\n--b--\n`;
  return `${headers.join('\n')}\nContent-Type: multipart/mixed; boundary=b\n\n${parts}`;
}

/** A page with one sentence. */
function pdf(text: string): string {
  const content = `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  const body = objects.map((each, at) => `${at + 1} 0 obj\n${each}\nendobj\n`).join('');
  return `%PDF-1.4\n${body}trailer\n<< /Size 6 /Root 1 0 R >>\n%%EOF\n`;
}

async function sync({ account, trove }: Context) {
  const { job_id: id } = await trove.add({ target: account.target, config, process: true });
  const job = await trove.job(id);
  assert.is(job.status, 'succeeded', JSON.stringify(job));
  return job;
}

async function sourcesOf({ trove }: Context, q: string, filter?: string): Promise<string[]> {
  const { results } = await trove.search({
    q,
    mode: 'keyword',
    ...(filter === undefined ? {} : { filter }),
  });
  return results.map(({ source }) => source.replace(/^imap:\/\/[^/]*\//, ''));
}

onServer(
  'finds and opens conversations and attachments, and lets the server grep',
  async (context) => {
    const { account, trove } = context;
    const file = {
      name: 'offer.pdf',
      type: 'application/pdf',
      bytes: pdf('A windmill for sale.'),
    };
    await account.append('INBOX', message({ id: 'a@x', body: 'The lighthouse is 100% done.' }));
    const second = message({ id: 'b@x', body: 'Are the "ferry_men" back?', answers: 'a@x', file });
    const uid = await account.append('INBOX', second);
    await account.append('INBOX', message({ id: 'c@x', body: 'It cost 1000 of the ferryXmen.' }));
    await sync(context);
    const opened = async (q: string): Promise<{ source: string; content: string }> => {
      const [hit] = (await trove.search({ q })).results;
      const locator = JSON.stringify(hit?.locator);
      const { content } = await trove.cat({ path: hit?.source ?? '', locator });
      return { source: hit?.source ?? '', content };
    };
    const conversation = await opened('is the lighthouse done');
    assert.is(conversation.source, `${account.target}/INBOX/messages.jsonl`);
    assert.match(conversation.content, '100% done');
    assert.match(conversation.content, 'ferry_men');
    assert.not.match(conversation.content, 'ferryXmen');
    const offer = await opened('windmill for sale');
    assert.is(offer.source, `${account.target}/INBOX/attachments/${uid}/offer.pdf`);
    assert.match(offer.content, 'A windmill for sale.');

    for (const pattern of ['100%', 'y_m', '"ferry_men"']) {
      const { results } = await trove.grep({ pattern, path: account.target });
      const [notice, ...matches] = results.toSorted((a) => (a.via === 'notice' ? -1 : 1));
      assert.match(notice?.content ?? '', /does not find words that HTML tags divide/);
      assert.equal(
        matches.map(({ via }) => via),
        ['pushdown'],
        pattern,
      );
      const { source, locator, content } = matches[0] ?? {};
      assert.match(content ?? '', pattern);
      const one = await trove.cat({ path: source ?? '', locator: JSON.stringify(locator) });
      assert.match(one.content, JSON.stringify(content).slice(1, -1));
    }
  },
);

onServer('embeds only new mails, and follows marks, deletions and moves', async (context) => {
  const { account, embedder } = context;
  await account.create('Archive');
  await account.create('Work');
  const uids: number[] = [];
  for (const [id, body] of [
    ['seen@x', 'Barley for the seen mill.'],
    ['marked@x', 'A marked comet passes.'],
    ['gone@x', 'A raven with wit.'],
    ['moved@x', 'A heron in the reeds.'],
  ] as const)
    uids.push(await account.append('INBOX', message({ id, body })));
  const [seen = 0, marked = 0, gone = 0, moved = 0] = uids;
  const file = { name: 'plan.txt', type: 'text/plain', bytes: 'Where the zeppelin lands.' };
  await account.append('Work', message({ id: 'w@x', body: 'An orchard in May.', file }));
  await sync(context);
  const { length: first } = embedder.batches.flat();
  assert.ok(first >= 6);

  const embeddedBy = async (change: () => Promise<unknown>): Promise<number> => {
    const { length: before } = embedder.batches.flat();
    await change();
    await sync(context);
    return embedder.batches.flat().length - before;
  };
  assert.is(await embeddedBy(() => account.flag('INBOX', seen, '\\Seen')), 0);
  const mark = (): Promise<boolean> => account.flag('INBOX', marked, '\\Flagged');
  assert.is(await embeddedBy(mark), 0, 'a mark');
  const inbox = 'INBOX/messages.jsonl';
  assert.equal(await sourcesOf(context, 'comet', "flags = 'flagged'"), [inbox]);
  assert.equal(await sourcesOf(context, 'barley', "flags = 'flagged'"), []);

  assert.is(await embeddedBy(() => account.delete('INBOX', gone)), 0);
  assert.equal(await sourcesOf(context, 'raven'), []);
  assert.is(await embeddedBy(() => account.move('INBOX', moved, 'Archive')), 1, 'moved');
  assert.equal(await sourcesOf(context, 'heron'), ['Archive/messages.jsonl']);
  const rename = async (): Promise<unknown> =>
    (await account.client()).mailboxRename('Work', 'Projects');
  assert.is(await embeddedBy(rename), 2, 'renamed');
  assert.equal(await sourcesOf(context, 'orchard'), ['Projects/messages.jsonl']);
  assert.equal(await sourcesOf(context, 'zeppelin'), ['Projects/attachments/1/plan.txt']);

  const other = { name: 'plan.txt', type: 'text/plain', bytes: 'A list of marigolds.' };
  await embeddedBy(async () => {
    await account.deleteFolder('Projects');
    await account.create('Projects');
    await account.append('Projects', message({ id: 'n@x', body: 'A new anchor.', file: other }));
  });
  for (const word of ['orchard', 'zeppelin'])
    assert.equal(await sourcesOf(context, word), [], word);
  assert.equal(await sourcesOf(context, 'anchor'), ['Projects/messages.jsonl']);
  assert.equal(await sourcesOf(context, 'marigolds'), ['Projects/attachments/1/plan.txt']);
});

onServer('finds a new message without a requested sync', async (context) => {
  const { account, trove } = context;
  trove.startWorker();
  await trove.add({ target: account.target, config: { ...config, watch: true }, process: true });
  await account.append('INBOX', message({ id: 'a@x', body: 'A crate of tangerines.' }));
  await waitUntil(async () => (await sourcesOf(context, 'tangerines')).length > 0, 'it is found');
});

test.run();
