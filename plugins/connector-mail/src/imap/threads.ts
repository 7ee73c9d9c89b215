import { Mutex } from '@trove/connector-kit';
import { parseMail, type Mail, type MailMessage } from '@trove/connector-kit/mail';
import type { RecordKey } from '@trove/core';

import { ThreadMap } from '../mail/thread-map.js';
import type { ImapFolder } from './folders.js';
import { fetchMessages } from './messages.js';
import { searchFolder } from './search.js';
import type { ImapSession } from './session.js';
import { isUid, formatUids } from './uids.js';

/** With more searches per minute, all heads of a folder are read instead. */
const maxSearchesPerMinute = 5;
const minuteMs = 60_000;
const maxHeadsPerFetch = 1000;
/** The limit of all folders together. A head takes about 100 bytes. */
const maxCachedHeads = 200_000;
const threadHeaders = ['message-id', 'references', 'in-reply-to'] as const;

const maxIdsPerSearch = 100;
const maxSearchRounds = 10;

/** The cached heads (thread headers) of a folder. They never expire, because messages never change. */
interface FolderThreads {
  readonly validity: string;
  /** The number of messages when the cache was created. */
  readonly count: number;
  /** The first UID that was not read. */
  next: number;
  /** The UIDs of each thread. */
  readonly threads: Map<string, number[]>;
  readonly threadsByUid: Map<number, string>;
  readonly threadMap: ThreadMap;
}

/**
 * Finds the messages of threads. A search takes the server longer in a larger folder, so a sync of a whole folder uses no
 * searches.
 */
export class Threads {
  readonly #session: ImapSession;
  readonly #mutex = new Mutex();
  readonly #folders = new Map<string, FolderThreads>();
  /** The times of recent searches by folder. */
  readonly #searches = new Map<string, number[]>();

  constructor(session: ImapSession) {
    this.#session = session;
  }

  /** Returns the messages of a thread. `messageKeys` are the keys of its messages. Without them, the messages are searched. */
  async messages(
    folder: ImapFolder,
    thread: string,
    messageKeys: readonly RecordKey[] | undefined,
    signal: AbortSignal,
  ): Promise<MailMessage[]> {
    if (messageKeys !== undefined)
      return this.#readKnown(folder, thread, uidsIn(messageKeys), signal);
    const usesHeads = this.#usesHeads(folder);
    const uids = usesHeads
      ? await this.#mutex.run(signal, () => this.#searchCached(folder, thread, signal))
      : await this.#search(folder, thread, signal);
    const messages = await this.#read(folder, uids, signal);
    const resolved = usesHeads
      ? await this.#assignByHeads(folder, messages, signal)
      : await this.#assignBySearch(folder, messages, signal);
    return resolved.filter(({ mail }) => mail.thread === thread);
  }

  /** Assigns threads to replies. A reply may name only the last message of its thread. */
  async assignThreads(
    folder: ImapFolder,
    messages: readonly MailMessage[],
    signal: AbortSignal,
  ): Promise<readonly MailMessage[]> {
    if (messages.every(({ mail }) => mail.ancestors.length === 0)) return messages;
    return this.#usesHeads(folder)
      ? this.#assignByHeads(folder, messages, signal)
      : this.#assignBySearch(folder, messages, signal);
  }

  /** Like `assignThreads`, for a stream of messages in order. `isFromFirst`: the stream starts with the first message. */
  async *assignThreadsInOrder(
    folder: ImapFolder,
    messages: AsyncIterable<MailMessage>,
    isFromFirst: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<MailMessage> {
    const threadMap = new ThreadMap();
    const usesHeads = !isFromFirst && folder.count <= maxCachedHeads;
    for await (const message of messages) {
      if (usesHeads) yield* await this.#assignByHeads(folder, [message], signal);
      else yield withThread(message, threadMap.add(message.mail));
    }
  }

  /** Includes messages whose ancestors are all missing, because the connecting message may be deleted. */
  async #readKnown(
    folder: ImapFolder,
    thread: string,
    uids: readonly number[],
    signal: AbortSignal,
  ): Promise<MailMessage[]> {
    const threadMap = new ThreadMap();
    const messages: MailMessage[] = [];
    for (const message of await this.#read(folder, uids, signal)) {
      const { ancestors } = message.mail;
      const isUnconnected = ancestors.length > 0 && !ancestors.some((id) => threadMap.has(id));
      const assigned = threadMap.add(isUnconnected ? { ...message.mail, thread } : message.mail);
      if (assigned === thread) messages.push(withThread(message, thread));
    }
    return messages;
  }

  async #read(
    folder: ImapFolder,
    uids: readonly number[],
    signal: AbortSignal,
  ): Promise<MailMessage[]> {
    const messages: MailMessage[] = [];
    for await (const message of fetchMessages(this.#session, folder, uids, true, signal))
      messages.push(message);
    return messages;
  }

  async #assignByHeads(
    folder: ImapFolder,
    messages: readonly MailMessage[],
    signal: AbortSignal,
  ): Promise<MailMessage[]> {
    const { threadsByUid } = await this.#mutex.run(signal, () => this.#readHeads(folder, signal));
    return messages.map((message) =>
      withThread(message, threadsByUid.get(Number(message.id)) ?? message.mail.thread),
    );
  }

  /** Searches for the ancestors of the messages, in several rounds. */
  async #assignBySearch(
    { path }: ImapFolder,
    messages: readonly MailMessage[],
    signal: AbortSignal,
  ): Promise<MailMessage[]> {
    const headsByUid = new Map<number, ThreadHead>(
      messages.map(({ id, mail }) => [Number(id), mail]),
    );
    const searchedIds = new Set(messages.map(({ mail }) => mail.messageId));
    for (let round = 0; round < maxSearchRounds; round++) {
      const ancestors = [...headsByUid.values()].flatMap((head) => head.ancestors);
      const ids = [...new Set(ancestors)]
        .filter((id) => !searchedIds.has(id))
        .slice(0, maxIdsPerSearch);
      if (ids.length === 0) break;
      for (const id of ids) searchedIds.add(id);
      const or = ids.map((id) => ({ header: { 'message-id': id } }));
      const uids = await searchFolder(this.#session, path, { all: true, or }, signal);
      const newUids = uids.filter((uid) => !headsByUid.has(uid));
      for (const [uid, head] of await this.#fetchHeads(path, newUids, signal))
        headsByUid.set(uid, head);
    }
    const threadMap = new ThreadMap();
    const threads = new Map<number, string>();
    for (const [uid, head] of [...headsByUid].sort(([a], [b]) => a - b))
      threads.set(uid, threadMap.add(head));
    return messages.map((message) =>
      withThread(message, threads.get(Number(message.id)) ?? message.mail.thread),
    );
  }

  #usesHeads({ path, validity, count }: ImapFolder): boolean {
    if (count > maxCachedHeads) return false;
    if (this.#folders.get(path)?.validity === validity) return true;
    const now = performance.now();
    const recentSearches = (this.#searches.get(path) ?? []).filter((at) => now - at < minuteMs);
    this.#searches.set(path, [...recentSearches, now]);
    return recentSearches.length >= maxSearchesPerMinute;
  }

  /** Searches for messages that name the thread, then for messages that name only those. */
  async #search({ path }: ImapFolder, thread: string, signal: AbortSignal): Promise<number[]> {
    const foundUids = new Set<number>();
    const searchedIds = new Set<string>();
    let ids = [thread];
    for (let round = 0; round < maxSearchRounds && ids.length > 0; round++) {
      const or = ids.flatMap((id) => threadHeaders.map((header) => ({ header: { [header]: id } })));
      for (const id of ids) searchedIds.add(id);
      const uids = await searchFolder(this.#session, path, { deleted: false, or }, signal);
      const newUids = uids.filter((uid) => !foundUids.has(uid));
      for (const uid of newUids) foundUids.add(uid);
      const read = await this.#fetchHeads(path, newUids, signal);
      ids = read
        .map(([, { messageId }]) => messageId)
        .filter((id) => id !== '' && !searchedIds.has(id))
        .slice(0, maxIdsPerSearch);
    }
    return [...foundUids].sort((a, b) => a - b);
  }

  /** Reads the thread headers of messages, ordered by UID. */
  async #fetchHeads(
    path: string,
    uids: readonly number[],
    signal: AbortSignal,
  ): Promise<[uid: number, head: ThreadHead][]> {
    const read: [number, ThreadHead][] = [];
    for (let at = 0; at < uids.length; at += maxHeadsPerFetch) {
      const range = formatUids(uids.slice(at, at + maxHeadsPerFetch));
      const query = { uid: true, headers: [...threadHeaders] };
      const fetched = await this.#session.withFolder(path, signal, (client) =>
        client.fetchAll(range, query, { uid: true }),
      );
      for (const { uid, headers } of (fetched ?? []).toSorted((a, b) => a.uid - b.uid))
        read.push([uid, await parseMail(headers ?? Buffer.alloc(0))]);
    }
    return read;
  }

  async #searchCached(folder: ImapFolder, thread: string, signal: AbortSignal): Promise<number[]> {
    const { threads } = await this.#readHeads(folder, signal);
    const uid = formatUids(threads.get(thread) ?? []);
    return uid === ''
      ? []
      : searchFolder(this.#session, folder.path, { deleted: false, uid }, signal);
  }

  /** Creates the cache of a folder. Drops all other caches first if the total would exceed the limit. */
  #createFolderThreads(validity: string, count: number): FolderThreads {
    const cachedCount = [...this.#folders.values()].reduce((sum, each) => sum + each.count, 0);
    if (cachedCount + count > maxCachedHeads) this.#folders.clear();
    return {
      validity,
      count,
      next: 1,
      threads: new Map(),
      threadsByUid: new Map(),
      threadMap: new ThreadMap(),
    };
  }

  async #readHeads(
    { path, validity, uidNext, count }: ImapFolder,
    signal: AbortSignal,
  ): Promise<FolderThreads> {
    const previous = this.#folders.get(path);
    const cache =
      previous?.validity === validity ? previous : this.#createFolderThreads(validity, count);
    this.#folders.set(path, cache);
    if (cache.next >= uidNext) return cache;
    // Includes messages that are flagged as deleted, because the flag may be removed.
    const all = await searchFolder(this.#session, path, { all: true }, signal);
    const uids = all.filter((uid) => uid >= cache.next);
    for (let at = 0; at < uids.length; at += maxHeadsPerFetch) {
      for (const [uid, head] of await this.#fetchHeads(
        path,
        uids.slice(at, at + maxHeadsPerFetch),
        signal,
      )) {
        const thread = cache.threadMap.add(head);
        cache.next = uid + 1;
        if (thread === '') continue;
        addToThread(cache.threads, thread, uid);
        cache.threadsByUid.set(uid, thread);
      }
    }
    cache.next = Math.max(cache.next, uidNext);
    return cache;
  }
}

function uidsIn(keys: readonly RecordKey[]): number[] {
  const uids = keys.map((key) => Number(key['uid'])).filter(isUid);
  return uids.sort((a, b) => a - b);
}

function addToThread(threads: Map<string, number[]>, thread: string, uid: number): void {
  const uids = threads.get(thread);
  if (uids === undefined) threads.set(thread, [uid]);
  else uids.push(uid);
}

/** The headers that connect a message with its thread. */
type ThreadHead = Pick<Mail, 'messageId' | 'thread' | 'ancestors'>;

function withThread(message: MailMessage, thread: string): MailMessage {
  return message.mail.thread === thread
    ? message
    : { ...message, mail: { ...message.mail, thread } };
}
