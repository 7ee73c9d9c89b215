import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import type { LoggedMail, MailFolder, MailWorld, StoredMessage } from './mail-world.js';
import { problem } from './problems.js';

type Json = Readonly<Record<string, unknown>>;

/** Answers requests for the mail of a user. `rest`: the path below the user. Undefined: it is not about mail. */
export function mailAnswer(
  world: MailWorld,
  rest: string,
  request: FakeRequest,
): FakeAnswer | undefined {
  const [, folder, part = ''] =
    /^\/mailFolders(?:\/([^/]+)(\/childFolders|\/messages\/delta)?)?$/.exec(rest) ?? [];
  if (rest === '/mailFolders') return foldersAnswer(world, '', request);
  if (folder !== undefined) return folderAnswer(world, decodeURIComponent(folder), part, request);
  if (rest === '/messages') return conversationAnswer(world, request);
  const [, id, value = ''] = /^\/messages\/([^/]+)(\/\$value)?$/.exec(rest) ?? [];
  if (id === undefined) return undefined;
  const message = world.messages.get(decodeURIComponent(id));
  if (message === undefined) return notFound();
  return value === ''
    ? { json: selected(messageForm(message), request) }
    : { headers: { 'content-type': 'text/plain' }, body: message.raw };
}

function folderAnswer(
  world: MailWorld,
  name: string,
  part: string,
  request: FakeRequest,
): FakeAnswer {
  const { inbox, deleted: deleteditems, junk: junkemail } = world;
  const wellKnown: Readonly<Record<string, string>> = { inbox, deleteditems, junkemail };
  const folder = world.folders.get(wellKnown[name] ?? name);
  if (folder === undefined) return notFound();
  if (part === '/childFolders') return foldersAnswer(world, folder.id, request);
  if (part === '') return { json: selected(folderForm(world, folder), request) };
  return deltaAnswer(world, folder.id, request);
}

function foldersAnswer(world: MailWorld, parent: string, request: FakeRequest): FakeAnswer {
  const found = [...world.folders.values()].filter((folder) => folder.parent === parent);
  const size = Number(request.query.get('$top') ?? 10);
  const start = Number(request.query.get('$skip') ?? 0);
  const value = found
    .slice(start, start + size)
    .map((folder) => selected(folderForm(world, folder), request));
  const next = new URL(request.path, request.origin);
  for (const [name, text] of request.query) next.searchParams.set(name, text);
  next.searchParams.set('$skip', String(start + size));
  return {
    json: { value, ...(start + size < found.length ? { '@odata.nextLink': next.href } : {}) },
  };
}

/** Pages through all messages of a folder, or through its log since a token. */
function deltaAnswer(world: MailWorld, folder: string, request: FakeRequest): FakeAnswer {
  const { query, origin, headers } = request;
  const log = world.logs.get(folder) ?? [];
  const token = query.get('$deltatoken') ?? query.get('$skiptoken');
  const [kind = 'all', offset = '0', length = String(log.length)] = token?.split('.') ?? [];
  if (kind === 'since' && Number(offset) < (world.oldest.get(folder) ?? 0))
    return problem(410, 'SyncStateNotFound', 'The sync state generation is not found.');
  const end = Number(length);
  const entries: readonly LoggedMail[] =
    kind === 'all'
      ? [...world.messages.values()]
          .filter((message) => message.folder === folder)
          .map(({ id }) => ({ id, members: 'all' }))
      : log.slice(0, end);
  const start = Number(offset);
  const [, size = '10'] = /odata\.maxpagesize=(\d+)/.exec(headers['prefer'] ?? '') ?? [];
  const next = start + Number(size);
  const link = (name: string, text: string): string => {
    const url = new URL(request.path, origin);
    const select = query.get('$select');
    if (select !== null) url.searchParams.set('$select', select);
    url.searchParams.set(name, text);
    return url.href;
  };
  return {
    json: {
      '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#Collection(message)',
      value: entries.slice(start, next).map((entry) => loggedForm(world, folder, entry, request)),
      ...(next >= entries.length
        ? { '@odata.deltaLink': link('$deltatoken', `since.${end}`) }
        : { '@odata.nextLink': link('$skiptoken', `${kind}.${next}.${end}`) }),
    },
  };
}

/** A message that left the folder is `@removed`, also if it is in another one now. */
function loggedForm(
  world: MailWorld,
  folder: string,
  { id, members }: LoggedMail,
  request: FakeRequest,
): Json {
  const message = world.messages.get(id);
  if (members === 'left' || message === undefined || message.folder !== folder)
    return { id, '@removed': { reason: message === undefined ? 'deleted' : 'changed' } };
  const whole = selected(messageForm(message), request);
  if (members === 'all') return whole;
  const changed = Object.entries(whole).filter(
    ([name]) => members.includes(name) || name.startsWith('@') || name === 'id',
  );
  return Object.fromEntries(changed);
}

function conversationAnswer(world: MailWorld, request: FakeRequest): FakeAnswer {
  const [, quoted] = /^conversationId eq '(.+)'$/.exec(request.query.get('$filter') ?? '') ?? [];
  if (quoted === undefined || /(?<!')'(?!')/.test(quoted))
    return problem(400, 'ErrorInvalidUrlQueryFilter', 'The query filter is invalid.');
  const id = quoted.replaceAll("''", "'");
  const value = [...world.messages.values()]
    .filter(({ conversationId }) => conversationId === id)
    .map((message) => selected(messageForm(message), request));
  return { json: { value } };
}

function folderForm({ folders, messages }: MailWorld, { id, name, parent }: MailFolder): Json {
  const inside = [...messages.values()].filter(({ folder }) => folder === id);
  const children = [...folders.values()].filter((folder) => folder.parent === id);
  return {
    id,
    displayName: name,
    parentFolderId: parent === '' ? 'AQMkRoot=' : parent,
    childFolderCount: children.length,
    totalItemCount: inside.length,
    unreadItemCount: inside.filter(({ isRead }) => !isRead).length,
  };
}

function messageForm(message: StoredMessage): Json {
  const { id, folder, subject, categories, isDraft, isRead, isFlagged } = message;
  return {
    '@odata.etag': 'W/"CQAAAB"',
    id,
    parentFolderId: folder,
    conversationId: message.conversationId,
    internetMessageId: `<${message.messageId}>`,
    subject,
    bodyPreview: 'A text',
    hasAttachments: message.hasFiles,
    isDraft,
    isRead,
    categories,
    flag: { flagStatus: isFlagged ? 'flagged' : 'notFlagged' },
    receivedDateTime: new Date(message.receivedAt).toISOString(),
    webLink: `https://outlook.office365.com/owa/?ItemID=${id}`,
  };
}

function selected(form: Json, { query }: FakeRequest): Json {
  const names = query.get('$select')?.split(',');
  if (names === undefined) return form;
  return Object.fromEntries(
    Object.entries(form).filter(([name]) => names.includes(name) || name.startsWith('@')),
  );
}

function notFound(): FakeAnswer {
  return problem(404, 'ErrorItemNotFound', 'The specified object was not found in the store.');
}
