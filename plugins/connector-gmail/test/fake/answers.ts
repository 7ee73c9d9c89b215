import type { FakeAnswer, FakeRequest, ServiceModel } from '@trove/connector-kit/http/fake';
import { tokenAnswer } from './login.js';
import { invalid, notFound, problem } from './problems.js';
import type { GmailWorld, StoredMessage } from './world.js';

const maxResults = 500;

type Json = Readonly<Record<string, unknown>>;

/** What Gmail answers about the mailbox of a user. */
export function gmailModel(world: GmailWorld): ServiceModel {
  return {
    unauthorized: () =>
      problem(
        401,
        'authError',
        'Request had invalid authentication credentials.',
        'UNAUTHENTICATED',
      ),
    rateLimited: () =>
      world.limitStatus === 403
        ? problem(403, 'userRateLimitExceeded', 'User-rate limit exceeded.', 'PERMISSION_DENIED')
        : problem(429, 'rateLimitExceeded', 'Too many concurrent requests.', 'RESOURCE_EXHAUSTED'),
    answer(request) {
      const { path, headers } = request;
      if (path === '/token') return tokenAnswer(world, request.body);
      const [, token = ''] = /^bearer (.+)$/i.exec(headers['authorization'] ?? '') ?? [];
      if (!world.accessTokens.has(token)) return this.unauthorized(request);
      if (!world.hasScope)
        return problem(
          403,
          'insufficientPermissions',
          'Request had insufficient authentication scopes.',
          'PERMISSION_DENIED',
        );
      return mailAnswer(world, request);
    },
  };
}

function mailAnswer(world: GmailWorld, request: FakeRequest): FakeAnswer {
  const [, kind = '', id = ''] =
    /^\/gmail\/v1\/users\/me\/(\w+)(?:\/([^/]+))?$/.exec(request.path) ?? [];
  const isOne = id !== '';
  if (kind === 'profile') return { json: profileForm(world) };
  if (kind === 'labels') return { json: labelsForm(world) };
  if (kind === 'history') return historyAnswer(world, request);
  if (kind === 'messages')
    return isOne ? messageAnswer(world, request, id) : listAnswer(world, request);
  return kind === 'threads' && isOne ? threadAnswer(world, id) : notFound();
}

function profileForm(world: GmailWorld): Json {
  return {
    emailAddress: 'ann@example.com',
    messagesTotal: world.messages.size,
    threadsTotal: world.messages.size,
    historyId: String(world.historyId),
  };
}

function labelsForm({ labels }: GmailWorld): Json {
  const own = [...labels].map(([id, name]) => ({ id, name, type: 'user' }));
  return { labels: [{ id: 'INBOX', name: 'INBOX', type: 'system' }, ...own] };
}

/** Lists messages, newest first. An empty list is left out. */
function listAnswer(world: GmailWorld, { query }: FakeRequest): FakeAnswer {
  const q = query.get('q') ?? '';
  if (q !== '' && q !== 'has:attachment') return invalid('q');
  const size = Number(query.get('maxResults') ?? 100);
  if (!Number.isInteger(size) || size < 1) return invalid('maxResults');
  const wanted = query.getAll('labelIds');
  const found = [...world.messages.values()]
    .filter(({ labels }) => !labels.includes('TRASH') && !labels.includes('SPAM'))
    .filter(({ labels }) => wanted.every((label) => labels.includes(label)))
    .filter(({ hasFiles }) => q === '' || hasFiles)
    .reverse();
  const token = query.get('pageToken');
  const start = token === null ? 0 : found.findIndex(({ id }) => id === token);
  if (start < 0) return invalid('pageToken');
  const end = start + Math.min(size, maxResults);
  const messages = found.slice(start, end).map(({ id, threadId }) => ({ id, threadId }));
  return {
    json: {
      ...(messages.length === 0 ? {} : { messages }),
      ...(found[end] === undefined ? {} : { nextPageToken: found[end].id }),
      resultSizeEstimate: found.length,
    },
  };
}

function messageAnswer(world: GmailWorld, { query }: FakeRequest, id: string): FakeAnswer {
  const message = world.messages.get(id);
  if (message === undefined) return notFound();
  const format = query.get('format') ?? 'full';
  if (!['raw', 'minimal'].includes(format)) return invalid('format');
  return { json: messageForm(message, format === 'raw') };
}

function messageForm(message: StoredMessage, isRaw: boolean): Json {
  const { id, threadId, labels, raw, receivedAt } = message;
  return {
    id,
    threadId,
    labelIds: labels,
    snippet: 'A text',
    sizeEstimate: raw.length,
    historyId: '1000',
    internalDate: String(receivedAt),
    ...(isRaw ? { raw: Buffer.from(raw).toString('base64url') } : {}),
  };
}

function threadAnswer(world: GmailWorld, id: string): FakeAnswer {
  const messages = [...world.messages.values()].filter(({ threadId }) => threadId === id);
  if (messages.length === 0) return notFound();
  return {
    json: { id, historyId: '1000', messages: messages.map((each) => messageForm(each, false)) },
  };
}

/** The last id is in the answer. A page without records has no list. */
function historyAnswer(world: GmailWorld, { query }: FakeRequest): FakeAnswer {
  const start = Number(query.get('startHistoryId') ?? Number.NaN);
  if (!Number.isInteger(start)) return invalid('startHistoryId');
  if (start < world.oldest || start > world.historyId) return notFound();
  const size = Number(query.get('maxResults') ?? 100);
  const from = Number(query.get('pageToken') ?? start - 1000);
  const records = world.history.slice(from, from + size).flatMap((entry, at) => {
    const { kind, message, labels } = entry;
    if (message.id === 'none') return [];
    const { id, threadId } = message;
    const short = { id, threadId };
    const current = { ...short, labelIds: message.labels };
    const change = kind.startsWith('labels')
      ? { message: current, labelIds: labels }
      : { message: current };
    return [{ id: String(1001 + from + at), messages: [short], [kind]: [change] }];
  });
  const isLast = from + size >= world.history.length;
  return {
    json: {
      ...(records.length === 0 ? {} : { history: records }),
      ...(isLast ? {} : { nextPageToken: String(from + size) }),
      historyId: String(world.historyId),
    },
  };
}
