import type { Scope } from '@trove/connector-kit/http';

import { membersOf, type SlackChannel, type SlackMessage } from './forms.js';
import { messagesPath } from './paths.js';
import { readState, writeState, type KnownThreads } from './thread-state.js';

const clippedRows = 15;
/** A state has at most a million characters. */
const maxStateChars = 900_000;
/** Less than every `ts`. */
const beforeAll = '';

interface Page {
  readonly messages?: readonly unknown[];
  readonly has_more?: boolean;
}

/** A thread that its channel no longer shows. */
export interface VanishedThread {
  readonly path: string;
  readonly ts: string;
}

/**
 * Knows the threads that the recent history of each channel had at the last sync. Slack reports neither deletions nor
 * deleted replies. They show only in the difference.
 */
export class ThreadLedger {
  /** The threads of the last sync, by the id of the channel. */
  #known = new Map<string, KnownThreads>();
  /** The threads of this sync. Channels and times that it has not read yet have the threads of the last sync. */
  #next = new Map<string, KnownThreads>();
  /** The oldest `ts` of the pages so far, by the id of the channel. */
  #edges = new Map<string, string>();
  #vanished: VanishedThread[] = [];
  #warn: (sentence: string) => void = () => undefined;
  #isClipped = false;
  #isTruncated = false;
  #isResumed = false;
  #isFirst = false;

  /** Begins a sync. `found`: what an interrupted call had found. Undefined: there was none. */
  begin(
    state: unknown,
    options: {
      readonly isFirst: boolean;
      readonly found: unknown;
      readonly warn: (sentence: string) => void;
    },
  ): void {
    const { channels, isTruncated } = readState(state);
    this.#known = channels;
    this.#next = new Map([...channels].map(([id, threads]) => [id, new Map(threads)]));
    this.#edges = new Map();
    this.#vanished = [];
    this.#isClipped = false;
    this.#isTruncated = isTruncated;
    this.#isResumed = options.found !== undefined;
    const found = readState(options.found);
    this.#isTruncated ||= found.isTruncated;
    for (const [id, threads] of found.channels)
      this.#next.set(id, new Map([...(this.#next.get(id) ?? []), ...threads]));
    this.#isFirst = options.isFirst;
    this.#warn = options.warn;
  }

  /** Whether the sync lists everything, so the recent history is read only for the ledger. */
  get isFirst(): boolean {
    return this.#isFirst;
  }

  /** Returns the rows of a page of a history, newest first, and notes its threads. `oldest`: the begin of the history. */
  note(body: unknown, scope: Scope, oldest: number): readonly unknown[] | undefined {
    const { messages, has_more: hasMore = false } = membersOf<Page>(body);
    if (messages === undefined) return undefined;
    const { id = '' } = membersOf<SlackChannel>(scope.parents['channels']);
    const rows = messages.map((message) => membersOf<SlackMessage>(message));
    const stamps = rows.flatMap(({ ts }) => ts ?? []).toSorted();
    // After an empty page that is not the last one, nothing is certain about older messages.
    const edge = hasMore ? (stamps[0] ?? beforeAll) : `${Math.floor(oldest / 1000)}.000000`;
    const threads = this.#next.get(id) ?? new Map<string, string>();
    this.#next.set(id, threads);
    if (edge !== beforeAll) {
      const path = messagesPath(scope.parents['channels']);
      const range = { from: edge, to: this.#endOf(id, stamps) };
      for (const ts of missing(threads, new Set(stamps), range)) {
        threads.delete(ts);
        this.#vanished.push({ path, ts });
      }
    }
    this.#edges.set(id, edge);
    for (const row of rows) if (row.ts !== undefined) threads.set(row.ts, markOf(row));
    if (hasMore && rows.length === clippedRows) this.#warnOfClippedPages();
    return messages;
  }

  /** Returns a time if the replies of a thread may have changed since the last sync. */
  movedAt(item: unknown, scope: Scope): number | string | undefined {
    const message = membersOf<SlackMessage>(item);
    const known = this.#markBefore(message, scope);
    if (known === undefined && this.#isTruncated) return message.latest_reply;
    return known === markOf(message) ? undefined : scope.until;
  }

  /** Whether a thread has or had replies. */
  hasReplies(item: unknown, scope: Scope): boolean {
    const message = membersOf<SlackMessage>(item);
    return markOf(message) !== '' || (this.#markBefore(message, scope) ?? '') !== '';
  }

  /** Returns the threads that have vanished since the last call. */
  takeVanished(): readonly VanishedThread[] {
    return this.#vanished.splice(0);
  }

  /**
   * Returns what this sync has found and the last one had not, for a call that continues it. Otherwise, a reply that is
   * deleted after an interruption would be unknown, and stay.
   */
  found(maxChars: number): unknown {
    const changed = new Map(
      [...this.#next].map(([id, threads]) => {
        const known = this.#known.get(id);
        return [id, new Map([...threads].filter(([ts, mark]) => known?.get(ts) !== mark))];
      }),
    );
    return writeState(changed, { begin: beforeAll, wasTruncated: false, maxChars });
  }

  /** Returns the state for the next sync. `oldest`: the begin of the window, in milliseconds since 1970. */
  state(oldest: number): unknown {
    const begin = String(Math.floor(oldest / 1000));
    return writeState(this.#next, {
      begin,
      wasTruncated: this.#isTruncated,
      maxChars: maxStateChars,
    });
  }

  /** Returns the end of what a page covers, exclusive, or undefined for the first page of a channel. */
  #endOf(id: string, stamps: readonly string[]): string | undefined {
    const edge = this.#edges.get(id);
    return edge === undefined && this.#isResumed ? (stamps.at(-1) ?? beforeAll) : edge;
  }

  #markBefore({ ts = '' }: SlackMessage, scope: Scope): string | undefined {
    const { id = '' } = membersOf<SlackChannel>(scope.parents['channels']);
    return this.#known.get(id)?.get(ts);
  }

  #warnOfClippedPages(): void {
    if (this.#isClipped) return;
    this.#isClipped = true;
    this.#warn(
      `Slack returns only ${clippedRows} messages per request and allows one request per minute, as for commercial apps outside its marketplace. Create an internal app for your workspace to sync faster.`,
    );
  }
}

/** Changes whenever replies are added or deleted. Empty without replies. */
function markOf({ reply_count: replies = 0, latest_reply: latest = '' }: SlackMessage): string {
  return replies === 0 ? '' : `${replies}:${latest}`;
}

/** Returns the known threads of a time that a page did not list. */
function missing(
  threads: KnownThreads,
  listed: ReadonlySet<string>,
  { from, to }: { readonly from: string; readonly to: string | undefined },
): readonly string[] {
  return [...threads.keys()].filter(
    (ts) => ts >= from && (to === undefined || ts < to) && !listed.has(ts),
  );
}
