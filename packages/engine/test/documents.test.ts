import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { defineConnector } from '@trove/core';
import type { Engine, EngineOptions } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import pages from './support/page-converter.mjs';
import { alteredIndex, found, root, sync, World } from './support/engine.js';

const test = suite<{ world: World; folder: string; engine: Engine | null }>('documents');

const report = [
  '# Annual report\n\nRevenue grew like bamboo.',
  '## Outlook\n\nPandas expected.\n\nSee the appendix.',
  'Last page: zebras.',
];

test.before.each(async (context) => {
  context.world = new World();
  context.folder = await mkdtemp(join(tmpdir(), 'trove-documents-'));
  context.engine = null;
});
test.after.each(async ({ engine, folder }) => {
  await engine?.close();
  await rm(folder, { recursive: true, force: true });
});

function pdf(...of: readonly string[]): string {
  return `%PDF-${of.join('\f')}`;
}

interface Opened {
  world: World;
  folder: string;
  engine: Engine | null;
}

/** Replaces the engine by one that converts. */
async function open(
  context: Opened,
  version = 'pages 1',
  options: Partial<EngineOptions> = {},
): Promise<Engine> {
  await context.engine?.close();
  context.engine = await context.world.open({
    plugins: [pages],
    pluginConfig: { 'converter:application/pdf': { log: join(context.folder, 'log'), version } },
    artifactCache: { path: join(context.folder, 'cache') },
    ...options,
  });
  return context.engine;
}

async function conversions({ folder }: Opened): Promise<number> {
  const log = await readFile(join(folder, 'log'), 'utf8').catch(() => '');
  return log.split('\n').length - 1;
}

test('a hit shows its page, and its locator reads it', async (context) => {
  const { world } = context;
  world.source.set('report.pdf', pdf(...report));
  const engine = await open(context);
  assert.is((await sync(engine)).status, 'succeeded');
  const expected = [
    ['bamboo', 1],
    ['pandas', 2],
    ['zebras', 3],
  ] as const;
  for (const [q, page] of expected) {
    const [hit] = (await engine.search({ q })).results;
    assert.is(hit?.metadata.fields['page'], page, q);
    assert.is(hit?.metadata.title, 'Of pages');
    assert.is(hit?.metadata.media_type, 'application/pdf');
    const path = hit?.source ?? '';
    const read = await engine.cat({ path, locator: JSON.stringify(hit?.locator) });
    assert.ok(read.content.includes(hit?.content ?? '?'), read.content);
  }
  const { results } = await engine.search({ q: 'pandas zebras bamboo', filter: 'page >= 2' });
  assert.equal(results.map(({ metadata }) => String(metadata.fields['page'])).sort(), ['2', '3']);
});

test('all operations read the Markdown of a single conversion', async (context) => {
  const { world } = context;
  world.source.set('report.pdf', pdf(...report));
  const engine = await open(context);
  const path = `${root}/report.pdf`;
  await sync(engine);
  const markdown = `${report.join('\n\n')}\n\n`;
  assert.is((await engine.cat({ path })).content, markdown);
  assert.is((await engine.head({ path, n: 1 })).content, '# Annual report\n');
  assert.is((await engine.cat({ path, range: '5:5' })).content, '## Outlook\n');
  assert.is((await engine.export({ path })).content, markdown);
  const { content } = await engine.cat({ path, density: 'peek' });
  assert.match(content, /Annual report[^]*Outlook/);
  const meta = await engine.cat({ path, meta: true });
  assert.ok('size_hint' in meta);
  assert.is(meta.size_hint, pdf(...report).length);
  assert.is(meta.media_type, 'application/pdf');
  const [entry] = (await engine.ls({ path })).entries;
  assert.is(entry?.search_status, 'indexed');
  assert.is((await engine.estimate({ target: root })).est_chunks, 3);
  assert.is(await conversions(context), 1);
});

test('equal bytes are converted once, or each time without a cache', async (context) => {
  const { world } = context;
  world.source.set('a.pdf', pdf(...report));
  const engine = await open(context);
  await sync(engine);
  world.source.set('b.pdf', pdf(...report));
  await sync(engine);
  assert.is(await conversions(context), 1);
  await rm(join(context.folder, 'cache'), { recursive: true });
  assert.match((await engine.cat({ path: `${root}/b.pdf` })).content, 'bamboo');
  assert.is(await conversions(context), 2, 'a deleted cache only costs time');
  const without = await open(context, 'pages 1', { artifactCache: null });
  await without.cat({ path: `${root}/a.pdf` });
  await without.cat({ path: `${root}/a.pdf` });
  assert.is(await conversions(context), 4);
});

test('converts and indexes again only after the version changes', async (context) => {
  const { world } = context;
  world.source.set('report.pdf', pdf(...report));
  world.source.set('notes.md', '# Notes\n\nOn bamboo.\n');
  const counts: number[][] = [];
  for (const version of ['pages 1', 'pages 1', 'pages 2']) {
    const { added, changed, unchanged } = await sync(await open(context, version));
    counts.push([added, changed, unchanged].map((count) => count ?? -1));
    counts.push([await conversions(context)]);
  }
  assert.equal(counts, [[2, 0, 0], [1], [0, 0, 2], [1], [0, 1, 1], [2]]);
});

test('the content of a document decides before its name', async (context) => {
  const { world } = context;
  world.source.set('report', pdf(...report));
  world.source.set('not.pdf', 'A text about bamboo\n');
  const engine = await open(context);
  assert.is((await sync(engine)).status, 'succeeded');
  assert.equal((await found(engine, 'bamboo')).sort(), [`${root}/not.pdf`, `${root}/report`]);
  assert.is((await engine.cat({ path: `${root}/not.pdf` })).content, 'A text about bamboo\n');
  assert.is(await conversions(context), 1);
});

test('only unconvertible documents fail, with the reason', async (context) => {
  const { world } = context;
  const faults = ['encrypted', 'stumbles', 'ends the thread', 'eats memory', ' \n '];
  faults.forEach((fault, at) => world.source.set(`${at}.pdf`, pdf(fault)));
  world.source.set('good.pdf', pdf(...report));
  const engine = await open(context);
  const job = await sync(engine);
  assert.is(job.status, 'partial');
  assert.is(job.added, 1);
  assert.is(job.left_out, 1);
  const reasons = job.failures.map(({ path, code, error }) => `${path} ${code} ${error}`).sort();
  assert.equal(reasons, [
    '0.pdf document_encrypted It asks for a password.',
    '1.pdf document_damaged converter application/pdf: convert failed: index out of range',
    '2.pdf document_damaged The conversion failed: the worker process ended',
    '3.pdf document_too_complex The conversion needs more than 512 MiB of memory',
  ]);
  assert.equal(job.left_out_reasons, [
    { path: '4.pdf', reason: 'The document has no text', objects: 1 },
  ]);
  const { entries } = await engine.ls({ path: root });
  assert.is(entries[0]?.reason, 'It asks for a password.');
  assert.is(entries[0]?.search_status, 'not_indexed');
  const before = await conversions(context);
  const error = await rejection(() => engine.cat({ path: `${root}/0.pdf` }));
  assert.is(error.code, 'document_encrypted');
  await rejection(() => engine.cat({ path: `${root}/1.pdf` }));
  assert.is((await conversions(context)) - before, 1, 'errors of a converter are cached');
  assert.equal(await found(engine, 'bamboo'), [`${root}/good.pdf`]);
});

test('grep reports unreadable documents once per reason', async (context) => {
  const { world } = context;
  for (const name of ['a', 'b', 'c']) world.source.set(`${name}.pdf`, pdf('encrypted'));
  world.source.set('good.pdf', pdf(...report));
  const engine = await open(context);
  await sync(engine);
  const { results } = await engine.grep({ pattern: 'bamboo' });
  assert.equal(
    results.map(({ content }) => content),
    [
      'Revenue grew like bamboo.',
      `${root}: a.pdf was skipped: It asks for a password. (and 2 more)`,
    ],
  );
});

test('a document that became unreadable is no longer found', async (context) => {
  const { world } = context;
  world.source.set('report.pdf', pdf(...report));
  const engine = await open(context);
  await sync(engine);
  world.source.set('report.pdf', pdf('encrypted'));
  assert.is((await sync(engine)).failed_objects, 1);
  assert.equal(await found(engine, 'bamboo'), []);
  assert.is((await engine.inspect({ target: root })).chunk_count, 0);
});

test('grep searches the Markdown even in sources with their own search', async (context) => {
  const { world } = context;
  world.source.set('report.pdf', pdf(...report));
  world.source.set('notes.md', 'Pandas, too\n');
  const plain = defineConnector({
    keys: ['plain'],
    configSchema: { type: 'object' },
    create: () => ({
      async *list() {
        for (const path of world.source.objects.keys())
          yield { path, size: null, modifiedAt: null, fingerprint: '1' };
      },
      read: async (path) => ({ bytes: world.source.objects.get(path)?.bytes ?? Buffer.from('') }),
    }),
  });
  const engine = await open(context, 'pages 1', { plugins: [pages, plain] });
  await sync(engine);
  await sync(engine, { target: 'plain://x' });
  const grep = async (path: string): Promise<string[]> => {
    const { results } = await engine.grep({ pattern: 'Pandas', path });
    return results.map(({ source, locator, via }) =>
      [source?.split('/').at(-1), JSON.stringify(locator), via].join(' '),
    );
  };
  const inMarkdown = 'report.pdf {"lines":[7,7]} linear';
  assert.equal(await grep(root), ['notes.md {"lines":[1,1]} pushdown', inMarkdown]);
  assert.equal((await grep('plain://x')).sort(), ['notes.md {"lines":[1,1]} linear', inMarkdown]);
  assert.equal(await grep(`${root}/report.pdf`), [inMarkdown]);
});

test('asks the index about documents only in a source that may have some', async (context) => {
  const { world } = context;
  let searches = 0;
  const index = alteredIndex(world.storage, (collection) => {
    const search = collection.search.bind(collection);
    collection.search = (request) => {
      searches++;
      return search(request);
    };
  });
  const plugins = [pages, index];
  const engine = await open(context, 'pages 1', { plugins, index: { uri: 'altered://index' } });
  const searchesFor = async (files: Readonly<Record<string, string>>): Promise<string[]> => {
    for (const [path, text] of Object.entries(files)) world.source.set(path, text);
    await sync(engine);
    searches = 0;
    const { results } = await engine.grep({ pattern: 'two Pandas and', path: root });
    return [
      `${searches} searches`,
      ...results.map(({ source }) => source?.split('/').at(-1) ?? ''),
    ];
  };
  const text = 'two Pandas and more\n';
  assert.equal(await searchesFor({ 'notes.md': text }), ['0 searches', 'notes.md']);
  assert.equal(await searchesFor({ 'a.txt.GZ': text }), ['1 searches', 'notes.md', 'a.txt.GZ']);
  const withReport = ['1 searches', 'notes.md', 'a.txt.GZ', 'report.pdf'];
  assert.equal(await searchesFor({ 'report.pdf': pdf(text) }), withReport);
});

test('excludes documents from the search of a source', async (context) => {
  const asked: (readonly string[])[] = [];
  const own = defineConnector({
    keys: ['own'],
    configSchema: { type: 'object' },
    create: () => ({
      async *list() {
        yield { path: 'a.md', size: null, modifiedAt: null, fingerprint: '1' };
      },
      read: async () => ({ bytes: Buffer.from('Pandas') }),
      async *grep({ excludedMediaTypes }) {
        asked.push(excludedMediaTypes);
      },
    }),
  });
  const engine = await open(context, 'pages 1', { plugins: [pages, own] });
  await sync(engine, { target: 'own://x' });
  await engine.grep({ pattern: 'Pandas', path: 'own://x' });
  assert.equal(
    asked.map((types) => types.slice(0, 2)),
    [['application/pdf', 'application/gzip']],
  );
});

test.run();
