// test-timeout: 300
// test-waits
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { waitUntil } from '@trove/test-support/waiting.js';
import {
  apiKey,
  serverDimension,
  openAiServer,
  type OpenAiServer,
} from '../../../plugins/embedder-openai/test/support/openai-server.js';
import { createTrove, type SettingsInput, type Trove } from '../src/index.js';

/* Switches from the default embedder to one behind HTTP, on SQLite and LanceDB, while processes are killed. */

const test = suite<{ root: string; server: OpenAiServer }>('[embedding] is changed');
const script = new URL('./support/work.mjs', import.meta.url);
const files = 40;
const batchSize = 4;

test.before.each(async (context) => {
  context.root = await mkdtemp(join(tmpdir(), 'trove-switch-'));
  context.server = await openAiServer();
  await mkdir(join(context.root, 'docs'));
  for (let at = 0; at < files; at++)
    await writeFile(join(context.root, 'docs', `${at}.md`), `The keeper of lantern ${at}.\n`);
});
test.after.each(async ({ root, server }) => {
  await server[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 });
});

function settingsOf({ baseUrl }: OpenAiServer): SettingsInput {
  const embedding = {
    provider: 'openai',
    model: 'test-model',
    base_url: baseUrl,
    api_key: apiKey,
    dimension: serverDimension,
    batch_size: batchSize,
    concurrency: 1,
  };
  return { embedding };
}

async function using<T>(
  root: string,
  settings: SettingsInput,
  use: (trove: Trove) => Promise<T>,
): Promise<T> {
  const trove = await createTrove({ home: join(root, 'home'), settings });
  try {
    return await use(trove);
  } finally {
    await trove.close();
  }
}

/** Returns the first hit and its vector distance. */
async function best(trove: Trove): Promise<[string | undefined, boolean]> {
  const { results } = await trove.search({ q: 'the keeper of lantern 7', mode: 'hybrid' });
  const dense = results[0]?.metadata.scores.dense ?? null;
  return [results[0]?.source.replace(/.*\//, ''), dense !== null];
}

function textsOf({ requests }: OpenAiServer): string[] {
  return requests.flatMap(({ input }) => input).filter((text) => text.includes('.md'));
}

async function indexed(root: string): Promise<void> {
  await using(root, {}, async (trove) => {
    await trove.add({ target: join(root, 'docs'), process: true });
    assert.equal(await best(trove), ['7.md', true]);
  });
}

test('searches work before, during and after, despite kills, and no text is embedded twice', async ({
  root,
  server,
}) => {
  await indexed(root);
  const settings = settingsOf(server);
  for (const least of [1, 20]) {
    const child = fork(script, [join(root, 'home'), JSON.stringify(settings)], { stdio: 'ignore' });
    await waitUntil(() => textsOf(server).length >= least, `${least} texts are embedded`);
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    await using(root, settings, async (trove) => {
      const { embedding } = await trove.status();
      if (embedding.switch === null) return;
      assert.equal(embedding.switch.from, ['lexical/v2/512']);
      assert.equal(await best(trove), ['7.md', false]);
      const { results } = await trove.search({ q: 'lantern', mode: 'semantic', top_k: 100 });
      assert.is(results.length, files);
    });
  }
  await using(root, settings, async (trove) => {
    trove.startWorker();
    await waitUntil(async () => (await trove.status()).embedding.switch === null, 'it takes over');
    assert.equal(await best(trove), ['7.md', true]);
  });
  const sent = textsOf(server);
  assert.is(new Set(sent).size, files);
  // Calls in flight at the kill could not be cached.
  assert.ok(sent.length <= files + 2 * 2 * batchSize, `${sent.length} texts were sent`);
});

test('the change can be reverted midway without repeating work', async ({ root, server }) => {
  await indexed(root);
  await using(root, settingsOf(server), async (trove) => {
    trove.startWorker();
    await waitUntil(() => textsOf(server).length > 0, 'some texts are embedded');
  });
  await using(root, {}, async (trove) => {
    assert.is((await trove.status()).embedding.switch, null);
    assert.equal(await best(trove), ['7.md', true]);
    const { job_id: id } = await trove.add({ target: join(root, 'docs'), process: true });
    assert.is((await trove.job(id)).skipped_objects, files);
  });
});

test.run();
