import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import { fileForm } from './forms.js';
import { invalid } from './problems.js';
import type { DriveWorld } from './world.js';

/** The current token. */
export function startTokenAnswer(world: DriveWorld): FakeAnswer {
  const startPageToken = String(world.changeCount + 1);
  return { json: { kind: 'drive#startPageToken', startPageToken } };
}

/** The last page has `newStartPageToken` in place of `nextPageToken`. */
export function changesAnswer(world: DriveWorld, { query }: FakeRequest): FakeAnswer {
  const token = Number(query.get('pageToken') ?? Number.NaN) - 1;
  if (!Number.isInteger(token) || token < world.oldestChange || token > world.changeCount)
    return invalid('pageToken');
  const size = Number(query.get('pageSize') ?? 100);
  const changes = world.changesSince(token, query.get('driveId'));
  const page = changes.slice(0, size);
  const last = page.at(-1)?.[0] ?? world.changeCount;
  return {
    json: {
      kind: 'drive#changeList',
      ...(page.length < changes.length
        ? { nextPageToken: String(last + 1) }
        : { newStartPageToken: String(world.changeCount + 1) }),
      changes: page.map(([, { fileId, at }]) => changeForm(world, fileId, at)),
    },
  };
}

/** A file that is deleted or no longer shared is `removed`. One in the trash is not. */
function changeForm(world: DriveWorld, fileId: string, at: number): unknown {
  const file = world.files.get(fileId);
  return {
    kind: 'drive#change',
    changeType: 'file',
    time: new Date(at).toISOString(),
    removed: file === undefined,
    fileId,
    ...(file === undefined ? {} : { file: fileForm(world, file) }),
  };
}
