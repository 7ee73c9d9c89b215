import { mimeOf } from '@trove/test-support/mime.js';

/** A message that arrives or is sent. */
export interface NewMessage {
  readonly subject?: string;
  readonly text?: string;
  readonly from?: string;
  /** The message that it answers. */
  readonly replyTo?: StoredMessage;
  readonly labels?: readonly string[];
  /** Attached text files by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Default: the time of the mailbox. */
  readonly date?: string;
}

export interface StoredMessage {
  readonly id: string;
  readonly threadId: string;
  readonly messageId: string;
  readonly raw: string;
  readonly labels: readonly string[];
  readonly receivedAt: number;
  readonly hasFiles: boolean;
}

type HistoryKind = 'labelsAdded' | 'labelsRemoved' | 'messagesAdded' | 'messagesDeleted';

interface HistoryEntry {
  readonly kind: HistoryKind;
  readonly message: StoredMessage;
  readonly labels: readonly string[];
}

const startTime = Date.parse('2026-03-02T10:00:00Z');

/** A Gmail mailbox whose clock only tests advance. */
export class GmailWorld {
  readonly messages = new Map<string, StoredMessage>();
  /** Names of the labels of the user, by id. */
  readonly labels = new Map<string, string>();
  readonly accessTokens = new Set<string>();
  readonly refreshTokens = new Set(['refresh-1']);
  /** The public key of the service account, in PEM. Null: there is no service account. */
  serviceAccountKey: string | null = null;
  hasScope = true;
  limitStatus: 403 | 429 = 429;
  /** The history before this id is gone. */
  oldest = 0;
  now = startTime;
  readonly history: HistoryEntry[] = [];
  #lastId = 0;

  get historyId(): number {
    return 1000 + this.history.length;
  }

  advance(ms: number): void {
    this.now += ms;
  }

  addLabel(name: string): string {
    const id = `Label_${++this.#lastId}`;
    this.labels.set(id, name);
    return id;
  }

  deliver(message: NewMessage = {}): StoredMessage {
    const { replyTo, labels = ['INBOX', 'UNREAD'], files = {} } = message;
    const { subject = 'A subject', text = 'A text', from = 'Bob <bob@example.com>' } = message;
    const { date = new Date(this.now).toUTCString() } = message;
    const to = 'Ann <ann@example.com>';
    const inReplyTo = replyTo?.messageId;
    const id = `19a${String(++this.#lastId).padStart(13, '0')}`;
    const messageId = `${id}@mail.example.com`;
    const stored: StoredMessage = {
      id,
      messageId,
      threadId: replyTo?.threadId ?? id,
      raw: mimeOf({ messageId, from, to, subject, date, text, inReplyTo, files }),
      labels,
      receivedAt: this.now,
      hasFiles: Object.keys(files).length > 0,
    };
    this.messages.set(id, stored);
    this.#log('messagesAdded', stored);
    return stored;
  }

  addLabels(id: string, ...labels: readonly string[]): void {
    const message = this.#message(id);
    const next = { ...message, labels: [...new Set([...message.labels, ...labels])] };
    this.messages.set(id, next);
    this.#log('labelsAdded', next, labels);
  }

  removeLabels(id: string, ...labels: readonly string[]): void {
    const message = this.#message(id);
    const next = { ...message, labels: message.labels.filter((each) => !labels.includes(each)) };
    this.messages.set(id, next);
    this.#log('labelsRemoved', next, labels);
  }

  /** Moves a message to the trash, where it stays for 30 days. */
  trash(id: string): void {
    this.addLabels(id, 'TRASH');
    this.removeLabels(id, 'INBOX');
  }

  restore(id: string): void {
    this.removeLabels(id, 'TRASH');
  }

  /** Deletes a message for good. */
  remove(id: string): void {
    const message = this.#message(id);
    this.messages.delete(id);
    this.#log('messagesDeleted', message);
  }

  /** Forgets the history so far. */
  expireHistory(): void {
    this.#log('labelsAdded', { ...[...this.messages.values()][0], id: 'none' } as StoredMessage);
    this.oldest = this.historyId;
  }

  issueAccess(): string {
    const token = `ya29.access-${++this.#lastId}`;
    this.accessTokens.add(token);
    return token;
  }

  expireAccess(): void {
    this.accessTokens.clear();
  }

  #message(id: string): StoredMessage {
    const message = this.messages.get(id);
    if (message === undefined) throw new Error(`There is no message ${id}.`);
    return message;
  }

  #log(kind: HistoryKind, message: StoredMessage, labels: readonly string[] = []): void {
    this.history.push({ kind, message, labels });
  }
}
