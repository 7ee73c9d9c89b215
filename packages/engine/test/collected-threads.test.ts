import { defineConnector, TroveError, type SourceRecord } from '@trove/core';
import type { Engine } from '@trove/engine';
import { waitUntil } from '@trove/test-support/waiting.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { access, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { CollectedThreads } from '../src/ingest/records/collected-threads.js';
import type { TaskFile } from '../src/ingest/tasks/task-files.js';
import { found, sync, World } from './support/engine.js';

const test = suite('collected threads');
const target = 'talk://x';
const threads = 40;
const lastPage = 5;

/** A message stream of six pages. Each has one message of each of 40 threads. */
class Talk {
  /** The threads that were requested one by one. */
  readonly requested: string[] = [];
  readonly pages: number[] = [];
  /** A part of the text of each message. */
  filler = '';
  onPage: (page: number, signal: AbortSignal) => void | Promise<void> = () => undefined;

  plugin() {
    return defineConnector({
      keys: ['talk'],
      capabilities: { threads: true },
      configSchema: { type: 'object' },
      create: () => ({
        list: async function* () {
          yield { ...entry };
        },
        records: (_path, { resume, thread, signal }) =>
          thread === undefined ? this.#all(resume, signal) : this.#thread(thread),
      }),
    });
  }

  async *#all(resume: unknown, signal: AbortSignal) {
    for (let page = Number(resume ?? -1) + 1; page <= lastPage; page++) {
      await this.onPage(page, signal);
      this.pages.push(page);
      for (let thread = 0; thread < threads; thread++) yield this.#message(page, thread);
      yield { checkpoint: page };
    }
  }

  async *#thread(thread: string) {
    this.requested.push(thread);
    for (let page = 0; page <= lastPage; page++) yield this.#message(page, Number(thread.slice(1)));
  }

  #message(page: number, thread: number): SourceRecord {
    const id = page * threads + thread;
    const text = `${nameOf(id)} ${this.filler}`;
    return { key: { id }, fields: {}, text, thread: `t${thread}`, at: id };
  }
}

const entry = {
  path: 'talk',
  kind: 'message_stream',
  size: null,
  modifiedAt: null,
  fingerprint: null,
  keyFields: ['id'],
} as const;

/** A word that no other message has. */
function nameOf(id: number): string {
  return `fruit${Array.from(String(id), (digit) => 'abcdefghij'[Number(digit)]).join('')}`;
}

async function inTalk(
  use: (talk: Talk, open: () => Promise<Engine>, folder: string, world: World) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const talk = new Talk();
    const world = new World();
    const open = (): Promise<Engine> =>
      world.open({
        plugins: [talk.plugin()],
        taskFolder: folder,
        ingest: { chunkChars: 50_000 },
      });
    await use(talk, open, folder, world);
  });
}

/** Returns the files of tasks below a folder. */
async function filesIn(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true }).catch((error: unknown) => {
    // A folder was removed while it was read.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  if (all === null) {
    await access(folder);
    return filesIn(folder);
  }
  return all.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
}

async function assertFound(engine: Engine): Promise<void> {
  for (const id of [0, 79, 121, 239])
    assert.equal(await found(engine, nameOf(id)), [`${target}/talk`], nameOf(id));
}

test('a first sync requests no thread, however much text it has', () =>
  inTalk(async (talk, open, folder) => {
    // All messages together have more than 8 MiB.
    talk.filler = 'x'.repeat(45_000);
    let fileMode = 0;
    talk.onPage = async (page) => {
      if (page !== lastPage) return;
      await waitUntil(async () => (await filesIn(folder)).length === 1, 'the file of the task');
      const [file = ''] = await filesIn(folder);
      fileMode = (await stat(file)).mode & 0o777;
    };
    const engine = await open();
    try {
      assert.is((await sync(engine, { target })).status, 'succeeded');
      assert.equal([talk.requested, fileMode], [[], 0o600]);
      assert.equal(await filesIn(folder), []);
      await assertFound(engine);
      assert.is((await sync(engine, { target, full: true })).status, 'succeeded');
      assert.equal(talk.requested, [], 'also a full sync');
    } finally {
      await engine.close();
    }
  }));

test('a full sync of a known object requests no thread', () =>
  inTalk(async (talk, open) => {
    const engine = await open();
    try {
      await sync(engine, { target });
      assert.is((await sync(engine, { target, full: true })).status, 'succeeded');
      assert.equal(talk.requested, []);
      await assertFound(engine);
    } finally {
      await engine.close();
    }
  }));

test('a sync continues with its threads after each of many pauses', () =>
  inTalk(async (talk, open, folder) => {
    let refused = -1;
    talk.onPage = (page) => {
      if (page === refused) return;
      refused = page;
      throw tooMany();
    };
    const engine = await open();
    try {
      assert.is((await sync(engine, { target })).status, 'succeeded');
      assert.equal([talk.requested, talk.pages], [[], [0, 1, 2, 3, 4, 5]]);
      assert.equal(await filesIn(folder), []);
      await assertFound(engine);
    } finally {
      await engine.close();
    }
  }));

/** What happens to the file between two processes, and whether the threads must be read again. */
const losses = [
  ['nothing', async () => undefined, false],
  ['it is missing', (file: string) => rm(file), true],
  ['it is shorter', (file: string) => truncate(file, 1000), true],
  ['it is longer', async (file: string) => writeFile(file, 'more', { flag: 'a' }), false],
  [
    'it has another content',
    async (file: string) => {
      const bytes = await readFile(file);
      await writeFile(file, bytes.fill(0x78, 5000, 5100));
    },
    true,
  ],
] as const;

for (const [what, change, isLost] of losses)
  test(`a sync of another process keeps every message: ${what}`, () =>
    inTalk(async (talk, open, folder, world) => {
      let isRefused = false;
      talk.onPage = (page, signal) => {
        if (page !== 4) return;
        if (isRefused) return untilAborted(signal);
        isRefused = true;
        throw tooMany();
      };
      const first = await open();
      first.startWorker();
      await first.add({ target });
      const checkpoint = async (): Promise<boolean> => {
        const rows = await world.database.query('select checkpoint from trove_tasks');
        return rows.some((row) => String(row['checkpoint']).includes('"token":3,'));
      };
      await waitUntil(checkpoint, 'a checkpoint');
      await first.close();
      const [file = ''] = await filesIn(folder);
      await change(file);
      talk.onPage = () => undefined;
      const second = await open();
      try {
        second.startWorker();
        const [last] = await second.jobs({ limit: 1 });
        const id = last?.id ?? '';
        await waitUntil(async () => (await second.job(id)).finished_at !== null, 'the end');
        const { status, failures } = await second.job(id);
        assert.equal([status, failures], ['succeeded', []]);
        assert.equal(talk.pages, [0, 1, 2, 3, 4, 5]);
        assert.is(talk.requested.length, isLost ? threads : 0);
        assert.equal(await filesIn(folder), []);
        await assertFound(second);
      } finally {
        await second.close();
      }
    }));

test('opening an engine deletes the files of jobs that have ended', () =>
  inTalk(async (talk, open, folder) => {
    let isRefused = false;
    talk.onPage = (page) => {
      if (page !== 2 || isRefused) return;
      isRefused = true;
      throw tooMany();
    };
    const first = await open();
    const job = await sync(first, { target });
    const [own = ''] = await readdir(folder);
    await first.close();
    for (const name of [job.id, 'unknown']) {
      await mkdir(join(folder, own, name), { recursive: true });
      await writeFile(join(folder, own, name, '1.jsonl'), 'left by a crash');
    }
    const second = await open();
    try {
      await waitUntil(async () => (await filesIn(folder)).length === 0, 'the deletion');
    } finally {
      await second.close();
    }
  }));

test('threads beyond the limit of the disk are refused with one reason', () =>
  withFolder(async (folder) => {
    const reasons: string[] = [];
    const file: TaskFile = {
      path: join(folder, 'job', '1.jsonl'),
      maxBytes: async () => 12 * 1024 ** 2,
      warn: (reason) => void reasons.push(reason),
    };
    const collected = CollectedThreads.create(file);
    const facts = { version: '', title: null, at: 1, fields: {}, threadFields: null };
    const text = 'x'.repeat(1024 ** 2);
    for (let name = 0; name < 20; name++)
      await collected.add(`t${name}`, { ...facts, name: `${name}`, text });
    assert.equal(reasons, ['they have more than 12 MiB']);
    assert.is(await collected.save(), null, 'an incomplete file cannot be resumed');
    assert.is((await collected.take('t0'))?.messages[0]?.text, text);
    assert.is(await collected.take('t19'), undefined);
    assert.ok((await stat(file.path ?? '')).size <= 12 * 1024 ** 2);
    await collected.close();
  }));

test('the last version of a repeated message counts, and a huge thread is truncated', () =>
  withFolder(async (folder) => {
    const file: TaskFile = {
      path: join(folder, 'job', '1.jsonl'),
      maxBytes: async () => 1024 ** 3,
      warn: assert.unreachable,
    };
    const facts = { title: null, at: 1, fields: {}, threadFields: null };
    const first = CollectedThreads.create(file);
    await first.add('a', { ...facts, name: '1', version: 'old', text: 'old' });
    await first.add('a', { ...facts, name: '2', version: 'x', text: '🦊\n\u2028' });
    const bytes = await first.save();
    await first.close();
    const second = await CollectedThreads.resume(file, bytes ?? 0);
    await second?.add('a', { ...facts, name: '1', version: 'new', text: 'new' });
    const messages = (await second?.take('a'))?.messages.map(({ text }) => text);
    assert.equal(messages, ['🦊\n\u2028', 'new']);
    for (let name = 0; name < 12; name++)
      await second?.add('b', { ...facts, name: `${name}`, version: '', text: 'x'.repeat(1e6) });
    const huge = await second?.take('b');
    assert.equal([huge?.messages.length, huge?.isTruncated], [9, true]);
    await second?.close();
  }));

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function tooMany(): TroveError {
  return new TroveError('connector_unhealthy', 'Too many requests', {
    retryable: true,
    retryAfterMs: 1,
  });
}

test.run();
