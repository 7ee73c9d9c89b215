import type { ThreadPool } from '@trove/core/workers';
import type { BrowseEntry, Connector, ConnectorContext, Entry, Infer } from '@trove/core';

import type { configSchema } from './config.js';
import { grepThreadCount, searchSource } from './grep/grep.js';
import { SourceFilter } from './grep/filter/source-filter.js';
import { SharedTrials } from './grep/shared-trials.js';
import { readFile } from './read.js';
import { entriesOf } from './source/columns.js';
import { sourceOf } from './source/root.js';
import { watchFiles } from './watch/watch.js';
import { createThreadPool, SourceThread } from './threads/source-thread.js';

/** The trials of all sources that share a pool, as those of one engine do. */
const trialsOf = new WeakMap<ThreadPool, SharedTrials>();

type FileConfig = Infer<typeof configSchema>;

/** Creates a source of files. Worker threads do all work with synchronous I/O, which is several times faster. */
export function createFileConnector(context: ConnectorContext<FileConfig>): Connector {
  const source = sourceOf(context, context.config.ignore);
  const threads = createThreadPool(context.workers);
  const files = new SourceThread(threads);
  const searchers = Array.from({ length: grepThreadCount }, () => new SourceThread(threads));
  const trials = trialsOf.get(threads) ?? new SharedTrials(threads, grepThreadCount);
  trialsOf.set(threads, trials);
  const { cacheFolder } = context;
  const filter =
    cacheFolder === undefined
      ? null
      : new SourceFilter(new SourceThread(threads), source, cacheFolder);
  return {
    async *list({ signal, knownIdentity = null, paths = [''] }): AsyncGenerator<Entry> {
      // `yield*` would take three times as long per entry.
      for await (const parts of files.stream('list', { ...source, knownIdentity, paths }, signal)) {
        for (const part of parts) for (const entry of entriesOf(part)) yield entry;
      }
    },
    async *browse(path, { signal }): AsyncGenerator<BrowseEntry> {
      const batches = files.stream('browse', { ...source, path }, signal);
      for await (const batch of batches) yield* batch;
    },
    read: (path, { signal, range = { start: 0 } }) =>
      readFile(files, { ...source, path, range }, signal),
    stat: (path, { signal }) => files.run('stat', { ...source, path }, signal),
    watch: ({ signal }) => watchFiles(source.root, context.workers, signal),
    grep: (request) => searchSource({ threads: searchers, trials, filter }, source, request),
    check: ({ signal }) => files.run('check', source, signal),
    async close() {
      await Promise.all(
        [files, ...searchers, ...(filter === null ? [] : [filter])].map((thread) => thread.close()),
      );
    },
  };
}
