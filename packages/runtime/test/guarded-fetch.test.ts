import { getEventListeners } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { guardedFetch } from '../src/plugins/guarded-fetch.js';

const test = suite('the fetch of plugins');
const limits = { firstByteMs: 300, silenceMs: 300 };
const { signal } = new AbortController();
let server: Server;
let url: string;
let answer: (response: ServerResponse) => void;

test.before(async () => {
  server = createServer((_, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
});
test.after(() => {
  server.closeAllConnections();
  server.close();
});

/** Writes pieces with a pause between them, and ends. */
function pieces(response: ServerResponse, count: number, pauseMs: number): void {
  if (count === 0) return void response.end();
  response.write(`${count};`);
  setTimeout(() => pieces(response, count - 1, pauseMs), pauseMs);
}

async function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing was thrown',
    (error: unknown) => String(error),
  );
}

test('a body may take longer than every limit, as long as it goes on', async () => {
  answer = (response) => pieces(response, 8, 80);
  const response = await guardedFetch(signal, limits)(url);
  assert.equal([response.url, response.status, response.ok], [url, 200, true]);
  assert.is(await response.text(), '8;7;6;5;4;3;2;1;');
});

test('a reader that takes its time is not taken for a silent server', async () => {
  answer = (response) => pieces(response, 2, 0);
  const { body } = await guardedFetch(signal, limits)(url);
  const read: string[] = [];
  for await (const piece of body ?? []) {
    read.push(Buffer.from(piece).toString());
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  assert.is(read.join(''), '2;1;');
});

test('an answer that does not begin, and one that breaks off, end with a reason', async () => {
  answer = () => {};
  assert.match(await failure(guardedFetch(signal, limits)(url)), /TimeoutError: no answer within/);
  answer = (response) => void response.write('and then');
  const response = await guardedFetch(signal, limits)(url);
  assert.match(await failure(response.text()), /TimeoutError: the answer broke off/);
});

test('it ends with the engine, with the caller, and with a request of its own signal', async () => {
  answer = () => {};
  for (const start of [
    (controller: AbortController) => guardedFetch(controller.signal)(url),
    (controller: AbortController) => guardedFetch(signal)(url, { signal: controller.signal }),
    (controller: AbortController) =>
      guardedFetch(signal)(new Request(url, { signal: controller.signal })),
  ]) {
    const controller = new AbortController();
    const work = failure(start(controller));
    controller.abort(new Error('stopped by the test'));
    assert.match(await work, /stopped by the test/);
  }
});

test('a signal that lives longer knows nothing of what has ended', async () => {
  const { signal: lasting } = new AbortController();
  const fetched = guardedFetch(lasting, limits);
  answer = (response) => pieces(response, 2, 0);
  await (await fetched(url)).text();
  await (await fetched(url)).body?.cancel();
  answer = (response) => void response.writeHead(204).end();
  await fetched(url);
  answer = (response) => void response.destroy();
  assert.match(await failure(fetched(url)), /fetch failed/);
  answer = (response) => void response.write('and then');
  const broken = await fetched(url);
  answer = () => {};
  assert.match(await failure(broken.text()), /broke off/);
  assert.is(getEventListeners(lasting, 'abort').length, 0);
});

test.run();
