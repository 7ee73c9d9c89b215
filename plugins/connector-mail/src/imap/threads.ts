import { Mutex } from '@trove/connector-kit';
import type { RecordKey } from '@trove/core';

import { ThreadMap } from '../mail/thread-map.js';
import type { MailMessage } from '../mail/objects.js';
import { parseMail, type Mail } from '../mail/parse.js';
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

/** The cached heads of a folder. They never expire, because messages never change. */
interface FolderThreads {
  readonly validity: string;
  /** The number of messages when the cache was created. */
  readonly count: number;
  /** The first UID that was not read. */
  next: number;
  /** The UIDs of each thread. */
  readonly threads: Map<string, number[]>;
  /** Threads by UID. */
  readonly ofUid: Map<number, string>;
  readonly conversations: ThreadMap;
}

/**
 * Finds the messages of threads. A search takes the server longer in a larger folder, so a sync of a whole folder uses no
 * searches.
 */
export class Threads {
  readonly #session: ImapSession;
  readonly #turns = new Mutex();
  readonly #known = new Map<string, FolderThreads>();
  /** The times of recent searches by folder. */
  readonly #searches = new Map<string, number[]>();

  constructor(session: ImapSession) {
    this.#session = session;
  }

  /** Returns the messages of a thread. `known` has the keys of its messages. Without it, they are searched. */
  async messages(
    folder: ImapFolder,
    thread: string,
    known: readonly RecordKey[] | undefined,
    signal: AbortSignal,
  ): Promise<MailMessage[]> {
    if (known !== undefined) return this.#amongKnown(folder, thread, uidsIn(known), signal);
    const areHeadsRead = this.#areHeadsRead(folder);
    const uids = areHeadsRead
      ? await this.#turns.run(signal, () => this.#among(folder, thread, signal))
      : await this.#search(folder, thread, signal);
    const messages = await this.#read(folder, uids, signal);
    const resolved = areHeadsRead
      ? await this.#byHeads(folder, messages, signal)
      : await this.#bySearch(folder, messages, signal);
    return resolved.filter(({ mail }) => mail.thread === thread);
  }

  /** Assigns threads to replies. A reply may name only the last message of its thread. */
  async assignThreads(
    folder: ImapFolder,
    messages: readonly MailMessage[],
    signal: AbortSignal,
  ): Promise<readonly MailMessage[]> {
    if (messages.every(({ mail }) => mail.ancestors.length === 0)) return messages;
    return this.#areHeadsRead(folder)
      ? this.#byHeads(folder, messages, signal)
      : this.#bySearch(folder, messages, signal);
  }

  /** Like `assignThreads`, for a stream of messages in order. `isFromFirst`: the stream starts with the first message. */
  async *assignThreadsInOrder(
    folder: ImapFolder,
    messages: AsyncIterable<MailMessage>,
    isFromFirst: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<MailMessage> {
    const conversations = new ThreadMap();
    const areHeadsRead = !isFromFirst && folder.count <= maxCachedHeads;
    for await (const message of messages) {
      if (areHeadsRead) yield* await this.#byHeads(folder, [message], signal);
      else yield withThread(message, conversations.add(message.mail));
    }
  }

  /** Includes messages whose ancestors are all missing, because the connecting message may be deleted. */
  async #amongKnown(
    folder: ImapFolder,
    thread: string,
    uids: readonly number[],
    signal: AbortSignal,
  ): Promise<MailMessage[]> {
    const conversations = new ThreadMap();
    const messages: MailMessage[] = [];
    for (const message of await this.#read(folder, uids, signal)) {
      const { ancestors } = message.mail;
      const isLost = ancestors.length > 0 && !ancestors.some((id) => conversations.has(id));
      const own = conversations.add(isLost ? { ...message.mail, thread } : message.mail);
      if (own === thread) messages.push(withThread(message, thread));
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

  async #byHeads(
    folder: ImapFolder,
    messages: readonly MailMessage[],
    signal: AbortSignal,
  ): Promise<MailMessage[]> {
    const { ofUid } = await this.#turns.run(signal, () => this.#readHeads(folder, signal));
    return messages.map((message) =>
      withThread(message, ofUid.get(Number(message.id)) ?? message.mail.thread),
    );
  }

  /** Searches for the ancestors of the messages, in several rounds. */
  async #bySearch(
    { path }: ImapFolder,
    messages: readonly MailMessage[],
    signal: AbortSignal,
  ): Promise<MailMessage[]> {
    const found = new Map<number, ThreadHead>(messages.map(({ id, mail }) => [Number(id), mail]));
    const asked = new Set(messages.map(({ mail }) => mail.messageId));
    for (let round = 0; round < maxSearchRounds; round++) {
      const ancestors = [...found.values()].flatMap((head) => head.ancestors);
      const ids = [...new Set(ancestors)].filter((id) => !asked.has(id)).slice(0, maxIdsPerSearch);
      if (ids.length === 0) break;
      for (const id of ids) asked.add(id);
      const or = ids.map((id) => ({ header: { 'message-id': id } }));
      const uids = await searchFolder(this.#session, path, { all: true, or }, signal);
      const fresh = uids.filter((uid) => !found.has(uid));
      for (const [uid, head] of await this.#heads(path, fresh, signal)) found.set(uid, head);
    }
    const conversations = new ThreadMap();
    const threads = new Map<number, string>();
    for (const [uid, head] of [...found].sort(([a], [b]) => a - b))
      threads.set(uid, conversations.add(head));
    return messages.map((message) =>
      withThread(message, threads.get(Number(message.id)) ?? message.mail.thread),
    );
  }

  #areHeadsRead({ path, validity, count }: ImapFolder): boolean {
    if (count > maxCachedHeads) return false;
    if (this.#known.get(path)?.validity === validity) return true;
    const now = performance.now();
    const lately = (this.#searches.get(path) ?? []).filter((at) => now - at < minuteMs);
    this.#searches.set(path, [...lately, now]);
    return lately.length >= maxSearchesPerMinute;
  }

  /** Searches for messages that name the thread, then for messages that name only those. */
  async #search({ path }: ImapFolder, thread: string, signal: AbortSignal): Promise<number[]> {
    const found = new Set<number>();
    const asked = new Set<string>();
    let ids = [thread];
    for (let round = 0; round < maxSearchRounds && ids.length > 0; round++) {
      const or = ids.flatMap((id) => threadHeaders.map((header) => ({ header: { [header]: id } })));
      for (const id of ids) asked.add(id);
      const uids = await searchFolder(this.#session, path, { deleted: false, or }, signal);
      const fresh = uids.filter((uid) => !found.has(uid));
      for (const uid of fresh) found.add(uid);
      const read = await this.#heads(path, fresh, signal);
      ids = read
        .map(([, { messageId }]) => messageId)
        .filter((id) => id !== '' && !asked.has(id))
        .slice(0, maxIdsPerSearch);
    }
    return [...found].sort((a, b) => a - b);
  }

  /** Reads the thread headers of messages, ordered by UID. */
  async #heads(
    path: string,
    uids: readonly number[],
    signal: AbortSignal,
  ): Promise<[uid: number, head: ThreadHead][]> {
    const read: [number, ThreadHead][] = [];
    for (let at = 0; at < uids.length; at += maxHeadsPerFetch) {
      const range = formatUids(uids.slice(at, at + maxHeadsPerFetch));
      const query = { uid: true, headers: [...threadHeaders] };
      const found = await this.#session.withFolder(path, signal, (client) =>
        client.fetchAll(range, query, { uid: true }),
      );
      for (const { uid, headers } of (found ?? []).toSorted((a, b) => a.uid - b.uid))
        read.push([uid, await parseMail(headers ?? Buffer.alloc(0))]);
    }
    return read;
  }

  async #among(folder: ImapFolder, thread: string, signal: AbortSignal): Promise<number[]> {
    const { threads } = await this.#readHeads(folder, signal);
    const uid = formatUids(threads.get(thread) ?? []);
    return uid === ''
      ? []
      : searchFolder(this.#session, folder.path, { deleted: false, uid }, signal);
  }

  /** Creates the cache of a folder. Drops all other caches first if the total would exceed the limit. */
  #makeRoom(validity: string, count: number): FolderThreads {
    const held = [...this.#known.values()].reduce((sum, known) => sum + known.count, 0);
    if (held + count > maxCachedHeads) this.#known.clear();
    return {
      validity,
      count,
      next: 1,
      threads: new Map(),
      ofUid: new Map(),
      conversations: new ThreadMap(),
    };
  }

  async #readHeads(
    { path, validity, uidNext, count }: ImapFolder,
    signal: AbortSignal,
  ): Promise<FolderThreads> {
    const before = this.#known.get(path);
    const known = before?.validity === validity ? before : this.#makeRoom(validity, count);
    this.#known.set(path, known);
    if (known.next >= uidNext) return known;
    // Includes messages that are flagged as deleted, because the flag may be removed.
    const all = await searchFolder(this.#session, path, { all: true }, signal);
    const uids = all.filter((uid) => uid >= known.next);
    for (let at = 0; at < uids.length; at += maxHeadsPerFetch) {
      for (const [uid, head] of await this.#heads(
        path,
        uids.slice(at, at + maxHeadsPerFetch),
        signal,
      )) {
        const thread = known.conversations.add(head);
        known.next = uid + 1;
        if (thread === '') continue;
        addToThread(known.threads, thread, uid);
        known.ofUid.set(uid, thread);
      }
    }
    known.next = Math.max(known.next, uidNext);
    return known;
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

type ThreadHead = Pick<Mail, 'messageId' | 'thread' | 'ancestors'>;

function withThread(message: MailMessage, thread: string): MailMessage {
  return message.mail.thread === thread
    ? message
    : { ...message, mail: { ...message.mail, thread } };
}
