import { parseUri } from '@trove/core';

import { parseAddress } from './address.js';
import { AllowedDomains } from './allowed-domains.js';
import type { WebConfig } from './config.js';
import type { SourceHostParts } from './host.js';
import { Site, siteKey, type WebErrorFactory } from './site.js';
import type { WebContext } from './site-client.js';

/** The source that a target and its configuration describe. */
export interface WebSource {
  readonly startHosts: readonly Omit<SourceHostParts, 'isStart'>[];
  /** The hosts with all their pages in the source; null if it has only pages at and below its start addresses. */
  readonly domains: AllowedDomains | null;
}

/** The maximum number of hosts. It limits ports, too, because links may lead to every port of an allowed host. */
export const maxHosts = 50;

/** Throws `validation_error` for an invalid target and `config_invalid` for an invalid configuration. */
export function sourceOf(context: WebContext): WebSource {
  const { target, config, error } = context;
  if (parseUri(target).scheme === 'web') return namedSourceOf(context);
  const key = config.start_urls === undefined ? 'allowed_domains' : 'start_urls';
  if (config[key] !== undefined) {
    throw error(
      'config_invalid',
      `config.${key}: is only valid for a target with a name of your own, such as web://docs`,
      {
        suggestions: [
          `Leave out \`${key}\`. The pages at and below ${target} are included.`,
          'Or add web://NAME with this configuration.',
        ],
      },
    );
  }
  return { startHosts: [{ label: null, site: Site.of(target, error) }], domains: null };
}

function namedSourceOf({ target, config, error }: WebContext): WebSource {
  const { authority, path } = parseUri(target);
  if (authority === '' || path !== '') {
    throw error('validation_error', `target: ${target.slice(0, 200)} is not the name of a source`, {
      suggestions: ['Write it like web://docs, and name the addresses in `start_urls`.'],
    });
  }
  if (config.start_urls === undefined) {
    throw error('config_invalid', `config.start_urls: is required for ${target.slice(0, 200)}`, {
      suggestions: [
        'Write start_urls = ["https://docs.example.com/"] into the configuration.',
        ...(authority.includes('.') ? [`Or add https://${authority} directly.`] : []),
      ],
    });
  }
  const { allowed_domains: allowed } = config;
  const domains = allowed === undefined ? null : new AllowedDomains(allowed, error);
  const starts = config.start_urls.map((text) => parseStart(text, config, error));
  const outside = starts.find((start) => domains?.has(start) === false);
  if (outside !== undefined) {
    throw error(
      'config_invalid',
      `config.start_urls: ${outside.href} is not on a host of \`allowed_domains\``,
      { suggestions: [`Add ${outside.host} to \`allowed_domains\`, or remove the address.`] },
    );
  }
  return { startHosts: hostsOf(starts, domains !== null, error), domains };
}

function parseStart(text: string, config: WebConfig, error: WebErrorFactory): URL {
  const address = /^\s*https?:\/\//i.test(text) ? parseAddress(text) : null;
  if (address === null) {
    // An invalid address may contain a password.
    const shown = text.includes('@') ? 'an entry' : text.slice(0, 200);
    throw error('config_invalid', `config.start_urls: ${shown} is not the address of a page`, {
      suggestions: ['Write it like https://docs.example.com/guide, without a user or password.'],
    });
  }
  if (!config.query_strings) address.search = '';
  return address;
}

/** The hosts of start addresses, in their order. */
function hostsOf(
  starts: readonly URL[],
  isWhole: boolean,
  error: WebErrorFactory,
): WebSource['startHosts'] {
  const bySite = new Map<string, [URL, ...URL[]]>();
  for (const start of starts) {
    const others = bySite.get(siteKey(start));
    if (others === undefined) bySite.set(siteKey(start), [start]);
    else if (!others.some(({ href }) => href === start.href)) others.push(start);
  }
  if (bySite.size > maxHosts) {
    throw error('config_invalid', `config.start_urls: are on more than ${maxHosts} hosts`, {
      suggestions: ['Add several sources, each with a part of the hosts.'],
    });
  }
  const labels = new Map<string, URL>();
  return Array.from(bySite.values(), (addresses) => {
    const [{ host: label, href }] = addresses;
    const other = labels.get(label);
    if (other !== undefined) {
      throw error(
        'config_invalid',
        `config.start_urls: ${other.href} and ${href} use the same port with different protocols`,
        {
          suggestions: ['Use https or http for both.'],
        },
      );
    }
    labels.set(label, addresses[0]);
    return { label, site: Site.onHost(addresses, { isWhole }) };
  });
}
