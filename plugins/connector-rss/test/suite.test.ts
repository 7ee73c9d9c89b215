import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { testConformance } from '@trove/test-support/conformance.js';
import plugin from '../src/index.js';
import { FeedServer, rss } from './feed-server.js';

const test = suite('RSS connector, conformance');

interface TestItem {
  readonly path: string;
  readonly title: string;
  text: string;
}

const page = ({ title, text }: TestItem): string =>
  `<!doctype html>\n<html><head><meta charset="utf-8"><title>${title}</title></head><body><main>\n<h1>${title}</h1>\n<p>2026-11-05</p>\n<p>${text}</p>\n</main></body></html>\n`;

const item = ({ title, text }: TestItem): string =>
  `<guid isPermaLink="false">${title}</guid><title>${title}</title><pubDate>Thu, 05 Nov 2026 10:00:00 GMT</pubDate><description>&lt;p&gt;${text}&lt;/p&gt;</description>`;

function subjectOn(server: FeedServer): ConnectorSubject {
  const items: TestItem[] = [
    { path: '2026/11-05 First #1 50% 😀.html', title: 'First #1 50% 😀', text: 'some prose here' },
    { path: '2026/11-05 Second.html', title: 'Second', text: 'one\ntwo .* two\nthree' },
    { path: '2026/11-05 Third.html', title: 'Third', text: 'more of it here' },
  ];
  const publish = (): void => server.set('/feed', rss(items.map(item)));
  server.authorization = 'Bearer first';
  server.set('/empty', rss([]));
  publish();
  const config = { keep_removed: false, authorization: server.authorization };
  return {
    plugin,
    target: 'rss://news',
    config: { ...config, feeds: [`${server.origin}/feed`] },
    refused: [{ feeds: [] }, { max_entries: 0 }, { urls: ['https://blog.example.com'] }],
    objects: items.map((each) => ({ path: each.path, bytes: Buffer.from(page(each)) })),
    absent: '2026/11-05 Fourth.html',
    change: async (path) => {
      for (const each of items) if (each.path === path) each.text = `changed ${path}`;
      publish();
    },
    remove: async (path) => {
      items.splice(
        items.findIndex((each) => each.path === path),
        1,
      );
      publish();
    },
    replaceCredential: async () => {
      server.authorization = 'Bearer second';
      return { authorization: server.authorization };
    },
    unreachable: {
      config: { ...config, feeds: ['http://127.0.0.1:1/'], authorization: 'Bearer quite-secret' },
    },
    secret: 'quite-secret',
  };
}

async function onServer(work: (subject: ConnectorSubject) => Promise<void>): Promise<void> {
  const server = await FeedServer.start();
  try {
    await work(subjectOn(server));
  } finally {
    await server.stop();
  }
}

await testConformance(test, onServer, [
  'browse',
  'changes',
  'checkpoints',
  'grep',
  'records',
  'stat',
  'watch',
  'paths',
  'since',
  'coupled',
  'emptyTarget',
  'expireAccess',
  'explain',
]);

test.run();
