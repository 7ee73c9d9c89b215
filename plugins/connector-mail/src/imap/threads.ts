import { Turns } from '@trove/connector-kit';
import type { RecordKey } from '@trove/core';

import type { Message } from '../mail/objects.js';
import { parseMail } from '../mail/parse.js';
import type { Folder } from './folders.js';
import { messagesOf } from './messages.js';
import { searched } from './search.js';
import type { Session } from './session.js';
import { isUid, writtenUids } from './uids.js';

/** With more conversations than this within a minute, all heads of a folder are read instead. */
const searchedAtMost = 5;
const minuteMs = 60_000;
const headsAtOnce = 1000;
/** Of all folders together; each takes about a hundred bytes. */
const mostHeads = 200_000;
const heads = ['message-id', 'references', 'in-reply-to'] as const;

/** What is known of a folder's messages, which never change. */
interface Known {
  readonly validity: string;
  /** How many messages there were. */
  readonly count: number;
  /** The first number that was not read. */
  next: number;
  /** The numbers of the messages of each conversation. */
  readonly threads: Map<string, number[]>;
}

/**
 * Finds the messages of conversations. A server takes as long for one as the folder is large, so a sync of a whole folder
 * does not ask it.
 */
export class Threads {
  readonly #session: Session;
  readonly #turns = new Turns();
  readonly #known = new Map<string, Known>();
  /** When conversations of a folder were looked for. */
  readonly #searches = new Map<string, number[]>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** `known`: the keys of all that are wanted; undefined: whichever there are. */
  async messages(
    folder: Folder,
    thread: string,
    known: readonly RecordKey[] | undefined,
    signal: AbortSignal,
  ): Promise<Message[]> {
    const uids = known === undefined ? await this.#uids(folder, thread, signal) : uidsIn(known);
    const messages: Message[] = [];
    for await (const message of messagesOf(this.#session, folder, uids, true, signal))
      if (message.mail.thread === thread) messages.push(message);
    return messages;
  }

  #uids(folder: Folder, thread: string, signal: AbortSignal): Promise<number[]> {
    return this.#areHeadsRead(folder)
      ? this.#turns.take(signal, () => this.#among(folder, thread, signal))
      : this.#search(folder, thread, signal);
  }

  #areHeadsRead({ path, validity, count }: Folder): boolean {
    if (count > mostHeads) return false;
    if (this.#known.get(path)?.validity === validity) return true;
    const now = performance.now();
    const lately = (this.#searches.get(path) ?? []).filter((at) => now - at < minuteMs);
    this.#searches.set(path, [...lately, now]);
    return lately.length >= searchedAtMost;
  }

  #search({ path }: Folder, thread: string, signal: AbortSignal): Promise<number[]> {
    const named = heads.map((header) => ({ header: { [header]: thread } }));
    return searched(this.#session, path, { deleted: false, or: named }, signal);
  }

  async #among(folder: Folder, thread: string, signal: AbortSignal): Promise<number[]> {
    const { threads } = await this.#readHeads(folder, signal);
    const uid = writtenUids(threads.get(thread) ?? []);
    return uid === '' ? [] : searched(this.#session, folder.path, { deleted: false, uid }, signal);
  }

  /** For a folder with so many messages; the others are forgotten when all together are too many. */
  #makeRoom(validity: string, count: number): Known {
    const held = [...this.#known.values()].reduce((sum, known) => sum + known.count, 0);
    if (held + count > mostHeads) this.#known.clear();
    return { validity, count, next: 1, threads: new Map() };
  }

  async #readHeads(
    { path, validity, uidNext, count }: Folder,
    signal: AbortSignal,
  ): Promise<Known> {
    const before = this.#known.get(path);
    const known = before?.validity === validity ? before : this.#makeRoom(validity, count);
    this.#known.set(path, known);
    if (known.next >= uidNext) return known;
    // Those that are marked as deleted, too: the mark may be taken away.
    const all = await searched(this.#session, path, { all: true }, signal);
    const uids = all.filter((uid) => uid >= known.next);
    for (let at = 0; at < uids.length; at += headsAtOnce) {
      const range = writtenUids(uids.slice(at, at + headsAtOnce));
      const query = { uid: true, headers: [...heads] };
      const found = await this.#session.inFolder(path, signal, (client) =>
        client.fetchAll(range, query, { uid: true }),
      );
      for (const { uid, headers } of (found ?? []).toSorted((a, b) => a.uid - b.uid)) {
        const { thread } = await parseMail(headers ?? Buffer.alloc(0));
        if (thread !== '') put(known.threads, thread, uid);
        known.next = uid + 1;
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

function put(threads: Map<string, number[]>, thread: string, uid: number): void {
  const uids = threads.get(thread);
  if (uids === undefined) threads.set(thread, [uid]);
  else uids.push(uid);
}
