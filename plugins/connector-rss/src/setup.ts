import type { SourceSetup } from '@trove/core';

/** The question of `trove-server connector add rss`. */
export const setup: SourceSetup = {
  address: {
    ask: 'Address of the feed, or of a page that names it',
    read(text) {
      const address = text.trim().replace(/^(?:https?|feed|rss):(?:\/\/)?(?:https?:\/\/)?/i, '');
      if (/\s/.test(address) || !/^[^/]+\.[^/]+/.test(address))
        return 'Write it like blog.example.com/feed.xml.';
      return { address };
    },
  },
  questions: [],
};
