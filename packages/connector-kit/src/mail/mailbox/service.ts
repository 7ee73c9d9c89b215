import type { FieldValue } from '@trove/core';

/** A message in a listing, without its content. */
export interface ListedMail {
  readonly id: string;
  /** False: it has no attachments, so a listing does not request its content. */
  readonly mayHaveAttachments: boolean;
  /** The folder that has it, for a service that reports deletions by folder. */
  readonly place?: string;
  /** What a listing has told already, so `message` need not request it. */
  readonly facts?: unknown;
}

/** A page of a listing. Positions and states are JSON values. */
export interface MailPage {
  readonly messages: readonly ListedMail[];
  /** The next page. Null: this page is the last one. */
  readonly next: unknown;
}

/** A page of a listing from which `changes` can continue. */
export interface TrackedPage extends MailPage {
  /** On the last page: the state from which `changes` continues. */
  readonly state?: unknown;
}

export interface MailChanges {
  readonly changed: readonly ListedMail[];
  /** Ids of messages that are deleted, or not in the source any more. */
  readonly removed: readonly string[];
  readonly state: unknown;
}

/** A message as the service stores it. */
export interface FetchedMail {
  readonly id: string;
  /** The whole message (RFC 5322). */
  readonly bytes: Buffer;
  readonly thread: string;
  readonly flags: readonly string[];
  /** Values of the record, such as its folder or its labels. */
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** Changes whenever the record may have changed. */
  readonly version: string;
  /** When it arrived, for a message without a valid date. */
  readonly at: number | null;
  readonly url?: string;
}

/** What the last sync has seen of a mailbox. */
export interface KnownMail {
  placeOf(id: string): string | undefined;
  idsIn(place: string): readonly string[];
  /** The places of all messages. */
  places(): readonly string[];
}

/** A mailbox in a web service. Ids stay the same when a message moves. */
export interface MailboxService {
  /** The maximum number of messages that are requested at the same time. */
  readonly parallel: number;
  /** Returns a page of the messages of which a sync must know: all, or those with attachments. Position null: the first page. */
  tracked(position: unknown, signal: AbortSignal): Promise<TrackedPage>;
  /** Returns a page of all messages. */
  messages(position: unknown, signal: AbortSignal): Promise<MailPage>;
  /** Returns what changed since a state. Null: the state has expired. */
  changes(state: unknown, known: KnownMail, signal: AbortSignal): Promise<MailChanges | null>;
  /** Returns a message, or null if it is deleted or not in the source. */
  message(
    listed: Pick<ListedMail, 'facts' | 'id'>,
    signal: AbortSignal,
  ): Promise<FetchedMail | null>;
  /** Returns the messages of a conversation. */
  thread(thread: string, signal: AbortSignal): Promise<readonly ListedMail[]>;
}
