import { serviceLogin } from '@trove/connector-kit/http';
import { defineConnector, type Infer, type JsonSchema } from '@trove/core';

import { describeGraph } from '../graph/description.js';
import { graphSettings } from '../graph/settings.js';
import { createDriveConnector } from './connector.js';
import type { DriveList } from './drive-list.js';
import { onedriveSetup } from './setup.js';

const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...graphSettings,
    user: {
      type: 'string',
      pattern: '^[^/\\s]+$',
      description:
        'Id or mail address of the user whose drive is indexed. Required with `client_secret`. Default: the user who logs in.',
    },
    drive_id: {
      type: 'string',
      pattern: '^[A-Za-z0-9!_.-]+$',
      description: 'Id of another drive that the login may read.',
    },
    folder: {
      type: 'string',
      pattern: '^[^/].*[^/]$|^[^/]$',
      description: 'Path of a folder: Documents/Projects. Only what is below it is indexed.',
    },
  },
} as const satisfies JsonSchema;

type OneDriveSettings = Infer<typeof configSchema>;

/** Returns the path of the drive in the API. */
function drivePath({ drive_id: id, user }: OneDriveSettings): string {
  if (id !== undefined) return `/drives/${encodeURIComponent(id)}`;
  return user === undefined ? '/me/drive' : `/users/${encodeURIComponent(user)}/drive`;
}

const permission = 'Files.Read.All';

const description = (config: OneDriveSettings) =>
  describeGraph(permission, {
    get: () => `/v1.0${drivePath(config)}`,
    query: { $select: 'id,driveType,owner' },
    say: (drive: { readonly owner?: { readonly user?: { readonly displayName?: string } } }) =>
      `Connected to the drive of ${drive.owner?.user?.displayName ?? 'a user'}.`,
  });

/** The files of a user (`onedrive://NAME`). */
export const onedrive = defineConnector({
  keys: ['onedrive'],
  capabilities: { costlyListing: true },
  configSchema,
  setup: onedriveSetup,
  ...serviceLogin(describeGraph(permission, {})),
  create(context) {
    const { config } = context;
    const path = drivePath(config);
    const list: DriveList = {
      drives: [{ path, key: '', site: '', folder: '' }],
      skipped: new Map(),
    };
    return createDriveConnector(
      {
        scheme: 'onedrive',
        configSchema,
        description: description(config),
        listDrives: () => Promise.resolve(list),
        driveRequests: [],
        folder: config.folder ?? '',
        settings: JSON.stringify([path, config.folder]),
      },
      context,
    );
  },
});
