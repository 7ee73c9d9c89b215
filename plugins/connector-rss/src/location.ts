import { createHash } from 'node:crypto';
import { parseUri, type ConnectorContext } from '@trove/core';

import type { RssConfig } from './config.js';

export type RssContext = Pick<
  ConnectorContext<RssConfig>,
  'config' | 'credentials' | 'target' | 'cacheFolder' | 'http' | 'error'
>;

/** The address of a feed, and its folder in the tree. */
export interface FeedLocation {
  readonly address: string;
  /** '' if the source has only this feed. */
  readonly folder: string;
  /** Name of its files in the cache. */
  readonly key: string;
}

/** Finds the feeds of a source. Throws `validation_error` and `config_invalid`. */
export function feedLocations(context: RssContext): readonly FeedLocation[] {
  const { config, error } = context;
  if (config.feeds === undefined) return [locationOf(targetAddress(context), '')];
  const addresses = [...new Set(config.feeds.map((feed) => feedAddress(feed, error)))];
  const [first] = addresses;
  const folders = foldersOf(addresses);
  const hosts = new Set(addresses.map((address) => new URL(address).origin));
  if (config.authorization !== undefined && hosts.size > 1) {
    throw error('config_invalid', 'config.authorization: is for feeds of one host', {
      suggestions: ['Add the feeds of each host as a source of their own.'],
    });
  }
  if (addresses.length === 1 && first !== undefined) return [locationOf(first, '')];
  return addresses.map((address, at) => locationOf(address, folders[at] ?? ''));
}

function locationOf(address: string, folder: string): FeedLocation {
  return { address, folder, key: createHash('sha256').update(address).digest('hex').slice(0, 32) };
}

function targetAddress({ target, error }: RssContext): string {
  const { authority, path } = parseUri(target);
  const address = `https://${authority}${path}`;
  if (!/[.:]/.test(authority) || !URL.canParse(address)) {
    throw error('config_invalid', `config.feeds: is required for ${target.slice(0, 200)}`, {
      suggestions: [
        'Write feeds = ["https://blog.example.com/feed.xml"] into the configuration.',
        'Or name the feed in the target: rss://blog.example.com/feed.xml.',
      ],
    });
  }
  return feedAddress(address, error);
}

function feedAddress(text: string, error: RssContext['error']): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  const isWeb = url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
  if (!isWeb || url.username !== '' || url.password !== '') {
    // An invalid address may contain a password.
    const shown = text.includes('@') ? 'an entry' : text.slice(0, 200);
    throw error('config_invalid', `config.feeds: ${shown} is not the address of a feed`, {
      suggestions: ['Write it like https://blog.example.com/feed.xml, without a user or password.'],
    });
  }
  url.hash = '';
  return url.href;
}

/** Names feeds after their hosts, and after their whole addresses if they share a host. */
function foldersOf(addresses: readonly string[]): string[] {
  const hosts = addresses.map((address) => new URL(address).host.replace(/^www\./, ''));
  const names = addresses.map((address, at) => {
    const host = hosts[at] ?? '';
    if (hosts.filter((other) => other === host).length === 1) return host;
    const { pathname, search } = new URL(address);
    return `${host}${pathname}${search}`.replaceAll(/[/?&=%#]+/g, ' ').trim();
  });
  return names.map((name, at) => {
    const earlier = names.slice(0, at).filter((other) => other === name).length;
    return earlier === 0 ? name : `${name} (${earlier + 1})`;
  });
}
