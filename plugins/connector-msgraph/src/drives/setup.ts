import type { SetupAddress, SourceSetup } from '@trove/core';

import { graphLogin } from '../graph/setup.js';

export const onedriveSetup: SourceSetup = {
  address: {
    ask: 'Name of the drive in Trove',
    initial: 'onedrive',
    read: (text) =>
      /^[\w-]+$/.test(text)
        ? { address: text }
        : 'Enter a name of letters, digits, _ and -, such as ann.',
  },
  questions: [
    graphLogin('Files.Read.All', [
      { setting: 'user', ask: 'Mail address of the user whose drive is indexed' },
    ]),
  ],
};

export const sharepointSetup: SourceSetup = {
  address: { ask: 'Web address of the site, or of the organization', read: readSite },
  questions: [graphLogin('Sites.Read.All')],
};

/** Understands `contoso.sharepoint.com`, the address of a site, and that of a page in it. */
function readSite(text: string): SetupAddress | string {
  const url = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  const problem = 'Enter an address such as https://contoso.sharepoint.com/sites/Team.';
  if (!URL.canParse(url)) return problem;
  const { hostname, pathname } = new URL(url);
  if (!hostname.includes('.')) return problem;
  const [, site] = /^(\/(?:sites|teams)\/[^/]+)/.exec(decodeURIComponent(pathname)) ?? [];
  return { address: `${hostname}${site ?? ''}` };
}
