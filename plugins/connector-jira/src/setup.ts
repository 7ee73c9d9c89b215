import type { SourceSetup } from '@trove/core';

import { isCloud } from './site.js';

/** `acme`, `acme/OPS` */
const name = /^([\w-]+)(?:\/([A-Za-z]\w*))?$/;
/** The project in the address of a page of a project or an issue. */
const projectPage = /\/(?:projects|browse)\/([A-Za-z]\w*)/;

export const setup: SourceSetup = {
  address: {
    ask: 'Site, and a project to read only that one (acme, acme/OPS, or the web address of the project)',
    read(text) {
      const [, site, key] = name.exec(text) ?? [];
      if (site !== undefined) return { address: join(site, key) };
      const full = /^https?:\/\//.test(text) ? text : `https://${text}`;
      if (!URL.canParse(full) || !full.includes('.'))
        return 'Enter the name of the site: acme of acme.atlassian.net.';
      const { origin, hostname, pathname } = new URL(full);
      const [, project] = projectPage.exec(pathname) ?? [];
      return hostname.endsWith('.atlassian.net')
        ? { address: join(hostname.replace('.atlassian.net', ''), project) }
        : { address: join(hostname, project), config: { base_url: origin } };
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
      help: 'Create an API token (without scopes) at https://id.atlassian.com/manage-profile/security/api-tokens. Trove sees the projects that your account sees.',
      when: (config) => isCloud(config),
    },
    {
      setting: 'token',
      ask: 'Personal access token',
      help: 'Create a token in Jira: open your profile, then Personal Access Tokens. Trove sees the projects that your account sees.',
      when: (config) => !isCloud(config),
    },
  ],
};

function join(site: string, project: string | undefined): string {
  return project === undefined ? site : `${site}/${project}`;
}
