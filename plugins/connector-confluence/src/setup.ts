import type { SourceSetup } from '@trove/core';

import { isCloud } from './site.js';

/** `acme`, `acme/OPS`. Personal spaces begin with a tilde. */
const name = /^([\w-]+)(?:\/([~\w.-]+))?$/;
/** The space in the address of a page. */
const spacePage = /\/spaces\/([~\w.-]+)/;

export const setup: SourceSetup = {
  address: {
    ask: 'Site, and a space to read only that one (acme, acme/OPS, or the web address of the space)',
    read(text) {
      const [, site, key] = name.exec(text) ?? [];
      if (site !== undefined) return { address: join(site, key) };
      const full = /^https?:\/\//.test(text) ? text : `https://${text}`;
      if (!URL.canParse(full) || !full.includes('.'))
        return 'Enter the name of the site: acme of acme.atlassian.net.';
      const { origin, hostname, pathname } = new URL(full);
      const space = spacePage.exec(pathname)?.[1];
      return hostname.endsWith('.atlassian.net')
        ? { address: join(hostname.replace('.atlassian.net', ''), space) }
        : { address: join(hostname, space), config: { base_url: origin } };
    },
  },
  questions: [
    {
      setting: 'email',
      ask: 'Email address of your Atlassian account',
      when: (config) => isCloud(config),
    },
    {
      setting: 'api_token',
      ask: 'API token',
      help: 'Create an API token (without scopes) at https://id.atlassian.com/manage-profile/security/api-tokens. Trove sees the spaces that your account sees.',
      when: (config) => isCloud(config),
    },
    {
      setting: 'token',
      ask: 'Personal access token',
      help: 'Create a token in Confluence: open your profile, then Personal Access Tokens. Trove sees the spaces that your account sees.',
      when: (config) => !isCloud(config),
    },
  ],
};

function join(site: string, space: string | undefined): string {
  return space === undefined ? site : `${site}/${space}`;
}
