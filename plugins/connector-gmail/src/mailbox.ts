import {
  parseJson,
  type HttpService,
  type RequestDescription,
  type ServiceReply,
} from '@trove/connector-kit/http';
import {
  readResponse,
  type FetchedMail,
  type ListedMail,
  type MailboxService,
  type MailChanges,
  type MailPage,
  type TrackedPage,
} from '@trove/connector-kit/mail';
import { TroveError } from '@trove/core';

import { isHidden, MailHistory, shownLabels } from './history.js';
import { LabelNames } from './label-names.js';

const root = '/gmail/v1/users/me';
const pageSize = 500;
/** A message of at most 50 MB, in base64 and JSON. */
const maxAnswerBytes = 100 * 1024 * 1024;
const maxHistoryPages = 10_000;
/** Chat messages are no mail. */
const chatLabel = 'CHAT';

export interface GmailOptions {
  /** The name of the label whose messages are in the source. */
  readonly label: string | undefined;
  readonly attachments: boolean;
  /** The address of the mailbox for people. */
  readonly webUrl: string;
}

/** A Gmail mailbox. Its history reports every change, also deletions and labels. */
export class GmailMailbox implements MailboxService {
  readonly parallel = 8;
  readonly #http: HttpService;
  readonly #options: GmailOptions;
  readonly #labels: LabelNames;

  constructor(http: HttpService, options: GmailOptions) {
    this.#http = http;
    this.#options = options;
    this.#labels = new LabelNames(http, root);
  }

  /** Lists the messages with attachments. The history begins before the listing, so nothing is missed meanwhile. */
  async tracked(position: unknown, signal: AbortSignal): Promise<TrackedPage> {
    const known: { readonly state?: string; readonly token?: string } = Object(position);
    const state = known.state ?? (await this.#historyId(signal));
    this.#labels.forget();
    if (!this.#options.attachments) return { messages: [], next: null, state };
    const page = await this.#list({ token: known.token, hasAttachments: true }, signal);
    const next = page.token === undefined ? null : { state, token: page.token };
    return { messages: page.messages, next, state };
  }

  async messages(position: unknown, signal: AbortSignal): Promise<MailPage> {
    const { token }: { readonly token?: string } = Object(position);
    const page = await this.#list({ token, hasAttachments: false }, signal);
    return {
      messages: page.messages,
      next: page.token === undefined ? null : { token: page.token },
    };
  }

  async changes(state: unknown, _known: unknown, signal: AbortSignal): Promise<MailChanges | null> {
    this.#labels.forget();
    const history = new MailHistory();
    let token: string | undefined;
    for (let pages = 0; pages < maxHistoryPages; pages++) {
      const reply = await this.#http.send(historyRequest(String(state), token), {
        signal,
        errors: [{ when: { status: 404 }, do: 'expired' }],
      });
      if ('none' in reply) return null;
      // A page may have no history although more pages follow.
      const { history: records, nextPageToken, historyId }: HistoryPage = Object(reply.answer.body);
      history.add(Array.isArray(records) ? records : []);
      if (typeof nextPageToken !== 'string') {
        const next = typeof historyId === 'string' ? historyId : state;
        return { changed: history.changed, removed: history.removed, state: next };
      }
      if (nextPageToken === token) break;
      token = nextPageToken;
    }
    throw invalid('the history of Gmail repeats a page and would never end');
  }

  async message({ id }: Pick<ListedMail, 'id'>, signal: AbortSignal): Promise<FetchedMail | null> {
    const path = `${root}/messages/${encodeURIComponent(id)}`;
    const reply = await this.#http.sendForBytes(
      { get: () => path, query: { format: 'raw' }, headers: { accept: 'application/json' } },
      { signal },
    );
    if ('none' in reply) return null;
    const { response } = reply;
    const text = (await readResponse(response, maxAnswerBytes)).toString();
    const body: RawMessage = Object(parseJson(text, response, new URL(this.#http.base)));
    const { raw, threadId, labelIds = [], internalDate } = body;
    if (isHidden(labelIds) || labelIds.includes(chatLabel)) return null;
    if (raw === undefined) throw invalid(`Gmail returned the message ${id} without its content`);
    const labels = await this.#labels.namesOf(shownLabels(labelIds), signal);
    const { label, webUrl } = this.#options;
    if (label !== undefined && !labels.includes(label)) return null;
    return {
      id,
      bytes: Buffer.from(raw, 'base64url'),
      thread: threadId ?? id,
      flags: [
        ...(labelIds.includes('DRAFT') ? ['draft'] : []),
        ...(labelIds.includes('STARRED') ? ['flagged'] : []),
      ],
      fields: { labels },
      version: JSON.stringify(labels),
      at: internalDate === undefined ? null : Number(internalDate),
      url: `${webUrl}#all/${id}`,
    };
  }

  async thread(thread: string, signal: AbortSignal): Promise<readonly ListedMail[]> {
    const path = `${root}/threads/${encodeURIComponent(thread)}`;
    const reply = await this.#http.send(
      { get: () => path, query: { format: 'minimal' } },
      { signal },
    );
    const body = 'none' in reply ? null : reply.answer.body;
    return listedIn(Object(body).messages);
  }

  async #historyId(signal: AbortSignal): Promise<string> {
    const reply = await this.#http.send({ get: `${root}/profile` }, { signal });
    const { historyId }: { readonly historyId?: string } = Object(bodyOf(reply));
    if (historyId === undefined) throw invalid('Gmail returned no history id');
    return historyId;
  }

  async #list(
    {
      token,
      hasAttachments,
    }: { readonly token: string | undefined; readonly hasAttachments: boolean },
    signal: AbortSignal,
  ): Promise<{ readonly messages: readonly ListedMail[]; readonly token: string | undefined }> {
    const { label } = this.#options;
    const labelId = label === undefined ? undefined : await this.#labels.idOf(label, signal);
    const reply = await this.#http.send(
      {
        get: `${root}/messages`,
        query: {
          maxResults: pageSize,
          labelIds: () => labelId,
          q: () => (hasAttachments ? 'has:attachment' : undefined),
          pageToken: () => token,
        },
      },
      { signal },
    );
    const { messages, nextPageToken }: { messages?: unknown; nextPageToken?: unknown } = Object(
      bodyOf(reply),
    );
    const next = typeof nextPageToken === 'string' ? nextPageToken : undefined;
    if (next !== undefined && next === token)
      throw invalid('the list of messages repeats a page and would never end');
    // Gmail leaves out an empty list.
    return { messages: listedIn(messages), token: next };
  }
}

interface HistoryPage {
  readonly history?: unknown;
  readonly nextPageToken?: unknown;
  readonly historyId?: unknown;
}

interface RawMessage {
  readonly raw?: string;
  readonly threadId?: string;
  readonly labelIds?: readonly string[];
  readonly internalDate?: string;
}

function historyRequest(state: string, token: string | undefined): RequestDescription {
  return {
    get: `${root}/history`,
    query: { startHistoryId: () => state, maxResults: pageSize, pageToken: () => token },
  };
}

function listedIn(messages: unknown): readonly ListedMail[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: unknown) => {
    const { id }: { readonly id?: unknown } = Object(message);
    return typeof id === 'string' ? [{ id, mayHaveAttachments: true }] : [];
  });
}

function bodyOf(reply: ServiceReply): unknown {
  if ('none' in reply) throw new TroveError('connector_unhealthy', reply.say, { suggestions: [] });
  return reply.answer.body;
}

function invalid(detail: string): TroveError {
  return new TroveError('connector_unhealthy', detail, { retryable: true, suggestions: [] });
}
