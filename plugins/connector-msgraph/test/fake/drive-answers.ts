import { createHash } from 'node:crypto';
import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import type { FakeDrive, StoredItem } from './drive-world.js';
import { failureOf, itemNotFound, problem } from './problems.js';

type Json = Readonly<Record<string, unknown>>;

const person = { user: { id: 'user-1', displayName: 'Ann', email: 'ann@contoso.com' } };

/** Answers a request for a drive. `rest`: the path below the drive. */
export function driveAnswer(
  drive: FakeDrive,
  rest: string,
  request: FakeRequest,
  downloads: string,
): FakeAnswer {
  if (drive.failure !== null) return failureOf(drive.failure);
  if (rest === '') return { json: driveForm(drive) };
  if (rest === '/root/delta') return deltaAnswer(drive, request);
  const [, id, part = ''] = /^\/items\/([^/]+)(\/content)?$/.exec(rest) ?? [];
  const [, path] = /^\/root:\/(.+)$/.exec(rest) ?? [];
  const item =
    path === undefined ? drive.items.get(id ?? '') : drive.itemAt(decodeURIComponent(path));
  if (item === undefined) return itemNotFound();
  if (part === '') return { json: selected(itemForm(drive, item), request) };
  if (item.kind !== 'file')
    return problem(400, 'invalidRequest', 'You cannot get content for a folder');
  const location = `${downloads}/download/${drive.id}/${item.id}?tempauth=signed-${item.id}`;
  return { status: 302, headers: { location } };
}

function driveForm({ id }: FakeDrive): Json {
  return { id, driveType: 'business', owner: { user: { displayName: 'Ann' } } };
}

/** Pages through all items, or through the log since a token. Tokens are `KIND.OFFSET.LENGTH`. */
function deltaAnswer(drive: FakeDrive, request: FakeRequest): FakeAnswer {
  const { query, origin } = request;
  const [kind = 'all', offset = '0', length = String(drive.log.length)] =
    query.get('token')?.split('.') ?? [];
  const size = Number(query.get('$top') ?? 200);
  const end = Number(length);
  if (kind === 'since' && Number(offset) < drive.oldest)
    return problem(410, 'resyncRequired', 'Resync required.', {
      location: `${origin}${request.path}`,
    });
  const ids = kind === 'all' ? [...drive.items.keys()] : drive.log.slice(0, end);
  const start = Number(offset);
  const page = ids.slice(start, start + size);
  const next = start + size;
  const isLast = next >= ids.length;
  const link = (token: string): string => {
    const url = new URL(request.path, origin);
    url.searchParams.set('$top', String(size));
    const select = query.get('$select');
    if (select !== null) url.searchParams.set('$select', select);
    url.searchParams.set('token', token);
    return url.href;
  };
  return {
    json: {
      '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#Collection(driveItem)',
      value: page.map((id) => selected(currentForm(drive, id), request)),
      ...(isLast
        ? { '@odata.deltaLink': link(`since.${end}`) }
        : { '@odata.nextLink': link(`${kind}.${next}.${end}`) }),
    },
  };
}

function currentForm(drive: FakeDrive, id: string): Json {
  const item = drive.items.get(id);
  return item === undefined ? { id, deleted: { state: 'deleted' } } : itemForm(drive, item);
}

function itemForm(drive: FakeDrive, item: StoredItem): Json {
  const { id, name, kind, version, isRoot, content, mimeType } = item;
  const parent = isRoot ? {} : { id: item.parent };
  return {
    '@odata.type': '#microsoft.graph.driveItem',
    id,
    name,
    eTag: `"{${id}},${version}"`,
    size: Buffer.byteLength(content),
    createdDateTime: new Date(item.createdAt).toISOString(),
    lastModifiedDateTime: new Date(item.modifiedAt).toISOString(),
    createdBy: person,
    lastModifiedBy: person,
    webUrl: `https://contoso-my.sharepoint.com/${id}`,
    parentReference: { driveId: drive.id, driveType: 'business', ...parent },
    ...(isRoot ? { root: {} } : {}),
    ...kindForm(drive, item),
    ...(kind === 'file' ? { file: { mimeType, hashes: { quickXorHash: hashOf(content) } } } : {}),
  };
}

function kindForm({ items }: FakeDrive, { id, kind }: StoredItem): Json {
  const children = [...items.values()].filter(({ parent }) => parent === id);
  if (kind === 'notebook') return { package: { type: 'oneNote' } };
  if (kind === 'shortcut') return { remoteItem: { id: 'elsewhere' } };
  return kind === 'folder' ? { folder: { childCount: children.length } } : {};
}

function hashOf(content: string): string {
  return createHash('sha1').update(content).digest('base64');
}

/** `$select` names the members of each item. */
function selected(form: Json, { query }: FakeRequest): Json {
  const names = query.get('$select')?.split(',');
  if (names === undefined) return form;
  return Object.fromEntries(
    Object.entries(form).filter(([name]) => names.includes(name) || name.startsWith('@')),
  );
}
