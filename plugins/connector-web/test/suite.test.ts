import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { testConformance } from '@trove/test-support/conformance.js';
import plugin from '../src/index.js';
import { defaults, page, TestSite } from './site.js';

const test = suite('web connector, conformance');

const pages: Readonly<Record<string, string>> = {
  '/': page(
    'Start',
    '/guide/',
    '/guide/install',
    '/caf%C3%A9%20%231%2050%25.html',
    '/%F0%9F%98%80/emoji?lang=de&x=/a',
    '/notes.md',
  ),
  '/guide/': page('Guide', 'install', '../'),
  '/guide/install': `<title>Install</title>\n<p>first line\n<p>second .* line\n<p>third`,
  '/caf%C3%A9%20%231%2050%25.html': page('Café'),
  '/%F0%9F%98%80/emoji?lang=de&x=%2Fa': page('Emoji'),
};
const notes = '# Notes\n\nfirst\nsecond here or\nthird';
const places: Readonly<Record<string, string>> = {
  '/': 'index.html',
  '/guide/': 'guide/index.html',
  '/guide/install': 'guide/install.html',
  '/caf%C3%A9%20%231%2050%25.html': 'café %231 50%25.html',
  '/%F0%9F%98%80/emoji?lang=de&x=%2Fa': '😀/emoji?lang=de&x=%2Fa.html',
};

function subjectOn(site: TestSite): ConnectorSubject {
  site.authorization = 'Bearer first';
  site.set(pages);
  site.set({ '/notes.md': { body: notes, headers: { 'content-type': 'text/markdown' } } });
  site.set({ '/empty/': '<meta name="robots" content="noindex">nothing to see' });
  const addressOf = (path: string): string =>
    Object.keys(places).find((address) => places[address] === path) ?? `/${path}`;
  return {
    plugin,
    target: site.origin,
    config: { ...defaults, authorization: site.authorization },
    refused: [{ max_pages: 0 }, { robots: 'no' }, { maxpages: 10 }],
    objects: [
      ...Object.entries(pages)
        .map(([address, text]) => ({ path: places[address] ?? '', bytes: Buffer.from(text) }))
        .reverse(),
      { path: 'notes.md', bytes: Buffer.from(notes) },
    ],
    absent: 'guide/nothing.html',
    change: async (path) => {
      site.set({ [addressOf(path)]: page('Changed', '/guide/') });
    },
    remove: async (path) => {
      site.pages.delete(addressOf(path));
    },
    replaceCredential: async () => {
      site.authorization = 'Bearer second';
      return { authorization: site.authorization };
    },
    emptyTarget: `${site.origin}/empty`,
    unreachable: {
      target: 'http://127.0.0.1:1',
      config: { ...defaults, authorization: 'Bearer quite-secret' },
    },
    secret: 'quite-secret',
  };
}

async function onSite(work: (subject: ConnectorSubject) => Promise<void>): Promise<void> {
  const site = await TestSite.start();
  try {
    await work(subjectOn(site));
  } finally {
    await site.stop();
  }
}

await testConformance(test, onSite, [
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
  'expireAccess',
  'explain',
]);

test.run();
