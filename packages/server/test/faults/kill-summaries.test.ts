// test-timeout: 300
// test-slow
import { mkdir, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { chatServer, type ChatServer } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JobResponse, SearchResponse } from 'trove';
import { waitUntil } from '@trove/test-support/waiting.js';
import { add, call, hasEnded, jobEnd, jobOf } from './support/api.js';
import type { ServerProcess } from './support/server-process.js';
import { World } from './support/world.js';

const folders = ['fruit', 'trees', 'tools'];
const filesInEach = 6;
const concurrency = 2;
/** The server is killed after this number of answers. */
const killedAfter = [3, 9, 16];
const [unwritten = 0] = killedAfter;
/** Every file, every folder and the root. */
const summaries = folders.length * filesInEach + folders.length + 1;

const test = suite('a server that is killed while it writes summaries');
let world: World;
let model: ChatServer;

test.before(async () => {
  world = await World.make();
  model = await chatServer();
  model.state.answer = (prompt) => `gist of ${prompt.split(/\s+/).slice(0, 6).join(' ')}`;
});
test.after(async () => {
  await world.remove();
  await model[Symbol.asyncDispose]();
});

test('loses nothing and pays for no summary twice', async () => {
  for (const folder of folders) {
    await mkdir(world.path('docs', folder), { recursive: true });
    for (let at = 0; at < filesInEach; at++) {
      const text = `${folder}${at} is what this file is about, at some length\n`;
      await writeFile(world.path('docs', folder, `${at}.md`), text);
    }
  }
  const start = () =>
    world.run('home', {
      TROVE_LLM_PROVIDER: 'openai',
      TROVE_LLM_MODEL: 'test-model',
      TROVE_LLM_BASE_URL: model.baseUrl,
      TROVE_LLM_CONCURRENCY: String(concurrency),
      TROVE_SUMMARY_ENABLED: 'true',
      TROVE_SUMMARY_MIN_CHARS: '10',
    });
  let server = start();
  const holder = holding(unwritten);
  const id = await add(await server.url(), world.path('docs'));
  for (const [at, count] of killedAfter.entries()) {
    await waitUntil(() => holder.held === concurrency, `${count} answers`);
    assert.is(model.answered.length, count);
    // The first kill leaves answers only in the cache, later ones also in the index.
    if (at > 0) {
      const job = await spent(server, id, count - unwritten);
      assert.equal([job.phase, job.added], ['summarizing', folders.length * filesInEach]);
    }
    assert.is((await server.end('SIGKILL')).signal, 'SIGKILL', server.stderr);
    holder.next(killedAfter[at + 1] ?? Infinity);
    server = start();
    await server.url();
  }
  const job = await jobEnd(await server.url(), id);
  assert.equal(
    [job.status, job.summaries, job.summaries_missing],
    ['succeeded', summaries, 0],
    JSON.stringify(job),
  );
  assert.ok(job.model_calls >= summaries - unwritten, String(job.model_calls));
  assert.is(model.answered.length, summaries);
  assert.is(new Set(model.answered).size, summaries, 'nothing was answered twice');
  const { results } = await call<SearchResponse>(
    await server.url(),
    '/v1/search?q=gist&mode=keyword&kind=summary,directory_summary&top_k=100',
  );
  assert.is(new Set(results.map(({ source }) => source)).size, summaries, 'each is found');
  assert.is((await server.end('SIGTERM')).code, 0, server.stderr);
});

/** Waits until the job reports this number of paid calls. */
async function spent(server: ServerProcess, id: string, calls: number): Promise<JobResponse> {
  for (;;) {
    const job = await jobOf(await server.url(), id);
    if (job.model_calls >= calls || hasEnded(job)) return job;
    await delay(25);
  }
}

/** Lets the model answer this number of times, and then no more. */
function holding(count: number) {
  const state = { count, held: 0, begun: 0 };
  model.state.pause = async () => {
    if (state.begun++ < state.count) return;
    state.begun--;
    state.held++;
    await new Promise(() => undefined);
  };
  return {
    get held() {
      return state.held;
    },
    next: (more: number) => Object.assign(state, { count: more, held: 0 }),
  };
}

test.run();
