import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { FeedServer, rss } from './feed-server.js';

const feeds = ['/first', '/second'];
const count = 6;

export const law: SyncLaw = {
  schemes: ['rss'],
  async start() {
    const server = await FeedServer.start();
    const texts = new Map(feeds.map((feed) => [feed, newTexts()]));
    const publish = (): void => {
      for (const [feed, items] of texts)
        server.set(feed, rss([...items].map(itemOf), `<title>Feed ${feed.slice(1)}</title>`));
    };
    publish();
    return {
      target: 'rss://news',
      // By default, entries that left their feed stay in the source, and a first crawl would not find them.
      config: { feeds: feeds.map((feed) => `${server.origin}${feed}`), keep_removed: false },
      content: () =>
        Object.fromEntries(
          [...texts].flatMap(([feed, items]) =>
            [...items].map(([title, text]) => [pathOf(server, feed, title), marksIn(text)]),
          ),
        ),
      changeAll: () => {
        for (const items of texts.values())
          for (const [title, text] of items) items.set(title, nextEdition(text));
        publish();
      },
      removeThird: () => {
        for (const items of texts.values())
          for (const title of everyThird(items.keys())) items.delete(title);
        publish();
      },
      [Symbol.asyncDispose]: () => server.stop(),
    };
  },
};

function newTexts(): Map<string, string> {
  const titles = Array.from({ length: count }, (_, at) => `Entry #${at} 50% 😀`);
  return new Map(titles.map((title) => [title, markedText()]));
}

/** Sources with several feeds have a folder for each one. */
function pathOf({ origin }: FeedServer, feed: string, title: string): string {
  return `${new URL(origin).host} ${feed.slice(1)}/2026/11-05 ${title}.html`;
}

function itemOf([title, text]: readonly [title: string, text: string]): string {
  return `<guid isPermaLink="false">${title}</guid><title>${title}</title><pubDate>Thu, 05 Nov 2026 10:00:00 GMT</pubDate><description>&lt;p&gt;${text}&lt;/p&gt;</description>`;
}
