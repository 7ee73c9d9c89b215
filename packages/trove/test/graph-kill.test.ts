// test-timeout: 600
// test-slow
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTrove, isTroveError, type Trove } from 'trove';

/* A process that builds a graph is killed at several instants. The old or the new graph must remain. */

const test = suite('a killed rebuild');
const script = new URL('./support/build-graph.mjs', import.meta.url);
/** The same number as in `build-graph.mjs`. */
const size = 500;
const instants = [0.05, 0.3, 0.6, 0.9, 1.1];

/** Returns which of the two graphs exists. Fails for a mixture. */
async function wordOf({ graph }: Trove, name: string): Promise<string> {
  const words = new Set<string>();
  let ids = 0;
  for (let offset = 0; ; offset += 1000) {
    const { documents, total } = await graph.documents({ graph_name: name, top_k: 1000, offset });
    for (const { text } of documents) words.add(text.split(' ')[1] ?? '');
    ids += documents.length;
    if (offset + 1000 >= total) break;
  }
  const stats = await graph.stats(name);
  assert.equal([ids, stats.passage_count, stats.relation_count], [size, size, size]);
  assert.is(words.size, 1, `a mixture: ${[...words].join(', ')}`);
  const [word = ''] = words;
  const { answer } = await graph.query(name, { question: `Which text has the number 7?` });
  assert.match(answer, `The ${word} text number 7.`);
  return word;
}

test('a kill leaves the old or the new graph and releases all locks', async () => {
  const home = await mkdtemp(join(tmpdir(), 'trove-kill-'));
  try {
    for (const [at, share] of instants.entries()) {
      const child = fork(script, [home, `g${at}`], { stdio: 'ignore' });
      const [{ tookMs }] = (await once(child, 'message')) as [{ tookMs: number }];
      const exited = once(child, 'exit');
      await Promise.race([delay(tookMs * share), exited]);
      child.kill('SIGKILL');
      await exited;
      const trove = await createTrove({ home });
      await wordOf(trove, `g${at}`);
      await close(trove);
    }
    const trove = await createTrove({ home });
    for (const { name } of (await trove.graph.graphs()).graphs) await rebuild(trove, name);
    await close(trove);
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 });
  }
});

/**
 * On a busy machine, closing may stop waiting for a deletion and report that. A new start beside it is safe.
 */
async function close(trove: Trove): Promise<void> {
  try {
    await trove.close();
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error;
  }
}

/** Waits until the lease of the dead process has expired. */
async function rebuild({ graph }: Trove, name: string): Promise<void> {
  for (;;) {
    try {
      const { num_documents: count } = await graph.addDocuments(name, { documents: ['The end.'] });
      assert.is(count, 1);
      return;
    } catch (error) {
      if (!isTroveError(error) || error.code !== 'graph_busy') throw error;
      await delay(500);
    }
  }
}

test.run();
