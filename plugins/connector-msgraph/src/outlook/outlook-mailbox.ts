import { createHash } from 'node:crypto';
import type { HttpService, RequestDescription } from '@trove/connector-kit/http';
import {
  readResponse,
  type FetchedMail,
  type KnownMail,
  type ListedMail,
  type MailboxService,
  type MailChanges,
  type TrackedPage,
} from '@trove/connector-kit/mail';
import { TroveError } from '@trove/core';

import { FolderChanges, toListed } from './folder-changes.js';
import { isMessage, messageFields, requestDelta, type GraphMessage } from './mail-delta.js';
import { findHidden, listFolders, type MailFolders } from './mail-folders.js';

const maxRestarts = 3;
const maxThreadPages = 100;

export interface OutlookOptions {
  /** The path of the user in the API: `/v1.0/me`. */
  readonly root: string;
  /** Paths of folders. Empty: all. */
  readonly folders: readonly string[];
}

/** The folders with their links to later changes, and the folders that are left out. */
interface MailState {
  readonly hidden: readonly string[];
  readonly links: Readonly<Record<string, readonly [path: string, link: string]>>;
}

/** Where a listing continues: in the first one of the remaining folders. */
interface Position extends MailState {
  readonly rest: readonly (readonly [id: string, path: string])[];
  readonly link: string | null;
  readonly restarts: number;
}

/** A mailbox of Microsoft 365. Each folder has a list of changes of its own. */
export class OutlookMailbox implements MailboxService {
  /** The service accepts four requests of an app for one mailbox at a time. */
  readonly parallel = 4;
  readonly #http: HttpService;
  readonly #options: OutlookOptions;
  #folders: Promise<MailFolders> | null = null;

  constructor(http: HttpService, options: OutlookOptions) {
    this.#http = http;
    this.#options = options;
  }

  async tracked(position: unknown, signal: AbortSignal): Promise<TrackedPage> {
    const current: Position = position === null ? await this.#begin(signal) : Object(position);
    const { hidden, links, rest, link, restarts } = current;
    const [[folder, path] = [undefined, ''], ...others] = rest;
    if (folder === undefined) return { messages: [], next: null, state: { hidden, links } };
    const page = await requestDelta(this.#http, this.#options.root, folder, link, signal);
    if (page === 'expired') {
      if (restarts >= maxRestarts) throw unhealthy('Page links expire too early');
      return { messages: [], next: { ...current, link: null, restarts: restarts + 1 } };
    }
    if (page === 'gone') return { messages: [], next: { ...current, rest: others, link: null } };
    const messages = page.messages
      .filter((message) => message['@removed'] === undefined)
      .map((message) => toListed(folder, message));
    if (page.next !== null) return { messages, next: { ...current, link: page.next } };
    const known = page.link === null ? links : { ...links, [folder]: [path, page.link] as const };
    const done = { hidden, links: known };
    return others.length === 0
      ? { messages, next: null, state: done }
      : { messages, next: { ...done, rest: others, link: null, restarts: 0 } };
  }

  messages(position: unknown, signal: AbortSignal): Promise<TrackedPage> {
    return this.tracked(position, signal);
  }

  async changes(state: unknown, known: KnownMail, signal: AbortSignal): Promise<MailChanges> {
    const { hidden: before, links }: MailState = Object(state);
    const hidden = await findHidden(this.#http, this.#options.root, before, signal);
    const folders = await this.#load(hidden, signal);
    const found = new FolderChanges(known);
    const next: Record<string, readonly [string, string]> = {};
    for (const [folder, path] of folders) {
      const [pathBefore, link] = links[folder] ?? [path, null];
      if (pathBefore !== path) found.touch(folder);
      const last = await this.#readFolder(folder, link, found, signal);
      if (last !== null) next[folder] = [path, last];
    }
    for (const folder of new Set([...Object.keys(links), ...known.places()]))
      if (next[folder] === undefined) found.keepOnly(folder, new Set());
    return { changed: found.changed, removed: found.removed, state: { hidden, links: next } };
  }

  async message(
    { id, facts }: Pick<ListedMail, 'facts' | 'id'>,
    signal: AbortSignal,
  ): Promise<FetchedMail | null> {
    const message = isMessage(facts) ? facts : await this.#facts(id, signal);
    const folders = await (this.#folders ?? this.#load(null, signal));
    const folder = folders.get(message?.parentFolderId ?? '');
    if (message === null || folder === undefined) return null;
    const path = `${this.#messagePath(id)}/$value`;
    const reply = await this.#http.sendForBytes({ get: () => path }, { signal });
    if ('none' in reply) return null;
    const bytes = await readResponse(reply.response);
    const { conversationId, flag, categories = [], isDraft, webLink, receivedDateTime } = message;
    const at = Date.parse(receivedDateTime ?? '');
    const flags = [
      ...(isDraft === true ? ['draft'] : []),
      ...(flag?.flagStatus === 'flagged' ? ['flagged'] : []),
    ];
    // The text of a draft changes.
    const digest = isDraft === true ? createHash('sha256').update(bytes).digest('base64url') : '';
    return {
      id,
      bytes,
      thread: conversationId ?? id,
      flags,
      fields: { folder, ...(categories.length === 0 ? {} : { categories }) },
      version: JSON.stringify([folder, flags, categories, digest]),
      at: Number.isNaN(at) ? null : at,
      ...(webLink === undefined ? {} : { url: webLink }),
    };
  }

  async thread(thread: string, signal: AbortSignal): Promise<readonly ListedMail[]> {
    const found: ListedMail[] = [];
    let next: RequestDescription | null = {
      get: () => `${this.#options.root}/messages`,
      query: {
        $filter: () => `conversationId eq '${thread.replaceAll("'", "''")}'`,
        $select: messageFields,
        $top: 100,
      },
    };
    for (let pages = 0; next !== null && pages < maxThreadPages; pages++) {
      const reply = await this.#http.send(next, { signal });
      if ('none' in reply) return found;
      const { value, '@odata.nextLink': link }: { value?: unknown; '@odata.nextLink'?: unknown } =
        Object(reply.answer.body);
      if (!Array.isArray(value)) throw unhealthy('Microsoft Graph returned no list of messages');
      const messages = value.filter(isMessage);
      found.push(...messages.map((message) => toListed(message.parentFolderId ?? '', message)));
      next = typeof link === 'string' ? { get: () => link } : null;
    }
    return found;
  }

  async #begin(signal: AbortSignal): Promise<Position> {
    const hidden = await findHidden(this.#http, this.#options.root, [], signal);
    const folders = await this.#load(hidden, signal);
    return { hidden, links: {}, rest: [...folders], link: null, restarts: 0 };
  }

  #load(hidden: readonly string[] | null, signal: AbortSignal): Promise<MailFolders> {
    const { root, folders: selected } = this.#options;
    const list = async (): Promise<MailFolders> => {
      const ids = hidden ?? (await findHidden(this.#http, root, [], signal));
      return listFolders(this.#http, root, { hidden: ids, selected }, signal);
    };
    const loading = list();
    this.#folders = loading;
    loading.catch(() => {
      if (this.#folders === loading) this.#folders = null;
    });
    return loading;
  }

  /** Adds the changes of a folder since a link. Without one, or with one that has expired, adds all its messages. */
  async #readFolder(
    folder: string,
    start: string | null,
    found: FolderChanges,
    signal: AbortSignal,
  ): Promise<string | null> {
    let link = start;
    let listed = start === null ? new Set<string>() : null;
    for (let restarts = 0; ;) {
      const page = await requestDelta(this.#http, this.#options.root, folder, link, signal);
      if (page === 'gone') return null;
      if (page === 'expired') {
        if (restarts++ >= maxRestarts) throw unhealthy('Links to changes expire too early');
        link = null;
        listed = new Set();
        continue;
      }
      for (const message of page.messages) {
        found.add(folder, message);
        if (message['@removed'] === undefined) listed?.add(message.id);
      }
      if (page.link !== null) {
        if (listed !== null) found.keepOnly(folder, listed);
        return page.link;
      }
      link = page.next;
    }
  }

  async #facts(id: string, signal: AbortSignal): Promise<GraphMessage | null> {
    const path = this.#messagePath(id);
    const request = { get: () => path, query: { $select: messageFields } };
    const reply = await this.#http.send(request, { signal });
    return 'none' in reply || !isMessage(reply.answer.body) ? null : reply.answer.body;
  }

  #messagePath(id: string): string {
    return `${this.#options.root}/messages/${encodeURIComponent(id)}`;
  }
}

function unhealthy(detail: string): TroveError {
  return new TroveError('connector_unhealthy', detail, { retryable: true, suggestions: [] });
}
