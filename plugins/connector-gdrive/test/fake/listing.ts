import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import { fileForm } from './forms.js';
import { invalid } from './problems.js';
import type { DriveFile, DriveWorld } from './world.js';

const maxSize = 1000;

type Filter = (file: DriveFile) => boolean;

/** Lists the files of the user, or of a shared drive. */
export function listAnswer(world: DriveWorld, { query }: FakeRequest): FakeAnswer {
  const filter = parseQuery(world, query.get('q') ?? '');
  if (filter === null) return invalid('q');
  const size = Number(query.get('pageSize') ?? 100);
  if (!Number.isInteger(size) || size < 1 || size > maxSize) return invalid('pageSize');
  const driveId = query.get('driveId');
  const isOfDrive = query.get('corpora') === 'drive' && query.get('supportsAllDrives') === 'true';
  if ((driveId !== null) !== isOfDrive) return invalid('corpora');
  if (driveId !== null && !world.drives.has(driveId)) return invalid('driveId');
  const files = [...world.files.values()].filter(
    (file) => file.driveId === driveId && file.visibleAt <= world.now && filter(file),
  );
  const start = startOf(files, query.get('pageToken'));
  if (start === null) return invalid('pageToken');
  const next = files[start + size];
  return {
    json: {
      kind: 'drive#fileList',
      incompleteSearch: false,
      ...(next === undefined ? {} : { nextPageToken: `~!!~${next.id}` }),
      files: files.slice(start, start + size).map((file) => fileForm(world, file)),
    },
  };
}

function startOf(files: readonly DriveFile[], token: string | null): number | null {
  if (token === null) return 0;
  if (!token.startsWith('~!!~')) return null;
  const start = files.findIndex(({ id }) => id >= token.slice('~!!~'.length));
  return start < 0 ? files.length : start;
}

/** Parses terms that are joined by `and`. Null: the query is invalid. */
function parseQuery(world: DriveWorld, text: string): Filter | null {
  const filters =
    text === '' ? [] : text.split(' and ').map((term) => parseTerm(world, term.trim()));
  if (filters.includes(null)) return null;
  return (file) => filters.every((filter) => filter?.(file) === true);
}

function parseTerm(world: DriveWorld, term: string): Filter | null {
  const [, parent] = /^'([^']+)' in parents$/.exec(term) ?? [];
  if (parent !== undefined) return (file) => file.parent === parent;
  const [, name, operator, value] = /^(\w+)\s*(=|!=)\s*'?([^']+)'?$/.exec(term) ?? [];
  if (name === 'trashed') return (file) => String(world.isTrashed(file)) === value;
  if (name !== 'mimeType') return null;
  return (file) => (file.mimeType === value) === (operator === '=');
}
