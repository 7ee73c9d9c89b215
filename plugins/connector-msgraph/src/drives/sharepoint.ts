import { serviceLogin } from '@trove/connector-kit/http';
import { defineConnector, parseUri, type Infer, type JsonSchema } from '@trove/core';

import { describeGraph } from '../graph/description.js';
import { graphSettings } from '../graph/settings.js';
import { createDriveConnector } from './connector.js';
import { listLibraries, siteRequest, type SiteSelection } from './drive-list.js';
import { sharepointSetup } from './setup.js';

const names = { type: 'array', items: { type: 'string', minLength: 1 }, default: [] } as const;

const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...graphSettings,
    sites: {
      ...names,
      description:
        'Paths of sites: ["sites/Team", "sites/Sales"]. Default: the site of the address, or all sites that the login finds.',
    },
    libraries: { ...names, description: 'Names of document libraries. Default: all.' },
  },
} as const satisfies JsonSchema;

type SharePointSettings = Infer<typeof configSchema>;

const permission = 'Sites.Read.All';

/** Returns the sites and libraries that a source selects. */
function selectionOf(target: string, { sites, libraries }: SharePointSettings): SiteSelection {
  const { authority: host, path } = parseUri(target);
  const own = path
    .split('/')
    .filter((step) => step !== '')
    .join('/');
  const selected = sites.map((site) => site.replaceAll(/^\/+|\/+$/g, ''));
  return { host, libraries, sites: own === '' ? selected : [own], isSingle: own !== '' };
}

function describe({ host, sites, isSingle }: SiteSelection) {
  const { get, query = {} } = siteRequest(host, isSingle ? (sites[0] ?? '') : '');
  return describeGraph(permission, {
    ...(get === undefined ? {} : { get }),
    query,
    say: ({ displayName = host }: { readonly displayName?: string }) =>
      `Connected to the site ${displayName}.`,
  });
}

/** Document libraries (`sharepoint://HOST/sites/NAME`, or `sharepoint://HOST` for all sites). */
export const sharepoint = defineConnector({
  keys: ['sharepoint'],
  capabilities: { costlyListing: true },
  configSchema,
  setup: sharepointSetup,
  ...serviceLogin(describeGraph(permission, {})),
  create(context) {
    const { config, target } = context;
    const selection = selectionOf(target, config);
    return createDriveConnector(
      {
        scheme: 'sharepoint',
        configSchema,
        description: describe(selection),
        listDrives: (service, signal) => listLibraries(service, selection, signal),
        driveRequests: [
          ...(selection.sites.length === 0
            ? [{ name: 'sites', path: '/sites?search=*' }]
            : selection.sites.map((site) => ({
                name: 'site',
                path: `/sites/${selection.host}:/${site}`,
              }))),
          { name: 'libraries', path: '/sites/{id}/drives' },
        ],
        folder: '',
        settings: JSON.stringify(selection),
      },
      context,
    );
  },
});
