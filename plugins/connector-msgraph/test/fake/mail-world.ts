import { mimeOf } from '@trove/test-support/mime.js';

/** A message that arrives or is sent. */
export interface NewMessage {
  readonly subject?: string;
  readonly text?: string;
  readonly from?: string;
  readonly replyTo?: StoredMessage;
  /** The id of the folder. Default: the inbox. */
  readonly folder?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly date?: string;
  readonly isDraft?: boolean;
}

export interface StoredMessage {
  readonly id: string;
  readonly conversationId: string;
  readonly messageId: string;
  readonly folder: string;
  readonly subject: string;
  readonly raw: string;
  readonly hasFiles: boolean;
  readonly isDraft: boolean;
  readonly isRead: boolean;
  readonly isFlagged: boolean;
  readonly categories: readonly string[];
  readonly receivedAt: number;
}

export interface MailFolder {
  readonly id: string;
  readonly name: string;
  readonly parent: string;
}

/** What the log of a folder tells about a message: its changed members, or that it left the folder. */
export interface LoggedMail {
  readonly id: string;
  readonly members: readonly string[] | 'all' | 'left';
}

/** A mailbox with a log of changes for each folder. */
export class MailWorld {
  readonly folders = new Map<string, MailFolder>();
  readonly messages = new Map<string, StoredMessage>();
  readonly logs = new Map<string, LoggedMail[]>();
  /** Links from before this position of a log have expired, by folder. */
  readonly oldest = new Map<string, number>();
  readonly inbox: string;
  readonly deleted: string;
  readonly junk: string;
  readonly #clock: { readonly now: number };
  #lastId = 0;

  constructor(clock: { readonly now: number }) {
    this.#clock = clock;
    this.inbox = this.addFolder('Inbox');
    this.deleted = this.addFolder('Deleted Items');
    this.junk = this.addFolder('Junk Email');
  }

  addFolder(name: string, parent = ''): string {
    const id = `AQMkFolder${++this.#lastId}=`;
    this.folders.set(id, { id, name, parent });
    this.logs.set(id, []);
    return id;
  }

  renameFolder(id: string, name: string): void {
    this.folders.set(id, { ...this.folder(id), name });
  }

  /** Deletes a folder for good, with its messages. */
  removeFolder(id: string): void {
    this.folders.delete(id);
    for (const message of this.messages.values())
      if (message.folder === id) this.messages.delete(message.id);
  }

  deliver(message: NewMessage = {}): StoredMessage {
    const { subject = 'A subject', text = 'A text', from = 'Bob <bob@example.com>' } = message;
    const { replyTo, folder = this.inbox, files = {}, isDraft = false } = message;
    const { date = new Date(this.#clock.now).toUTCString() } = message;
    const id = `AAkALgImmutable${String(++this.#lastId).padStart(6, '0')}=`;
    const messageId = `${this.#lastId}@mail.contoso.com`;
    const to = 'Ann <ann@contoso.com>';
    const inReplyTo = replyTo?.messageId;
    const stored: StoredMessage = {
      id,
      messageId,
      conversationId: replyTo?.conversationId ?? `AAQkConversation'${this.#lastId}=`,
      folder,
      subject,
      raw: mimeOf({ messageId, from, to, subject, date, text, inReplyTo, files }),
      hasFiles: Object.keys(files).length > 0,
      isDraft,
      isRead: false,
      isFlagged: false,
      categories: [],
      receivedAt: this.#clock.now,
    };
    this.messages.set(id, stored);
    this.#log(folder, { id, members: 'all' });
    return stored;
  }

  change(
    id: string,
    changes: Partial<
      Pick<StoredMessage, 'categories' | 'isFlagged' | 'isRead' | 'raw' | 'subject'>
    >,
  ): void {
    const message = { ...this.message(id), ...changes };
    this.messages.set(id, message);
    const names: Readonly<Record<string, string>> = { isFlagged: 'flag', raw: 'bodyPreview' };
    const members = Object.keys(changes).map((name) => names[name] ?? name);
    this.#log(message.folder, { id, members });
  }

  /** Moves a message. It keeps its immutable id. */
  move(id: string, folder: string): void {
    const message = this.message(id);
    this.messages.set(id, { ...message, folder });
    this.#log(message.folder, { id, members: 'left' });
    this.#log(folder, { id, members: 'all' });
  }

  remove(id: string): void {
    const { folder } = this.message(id);
    this.messages.delete(id);
    this.#log(folder, { id, members: 'left' });
  }

  /** Expires the links of all folders. */
  expireLinks(): void {
    for (const [folder, log] of this.logs) {
      log.push({ id: 'none', members: 'left' });
      this.oldest.set(folder, log.length);
    }
  }

  folder(id: string): MailFolder {
    const folder = this.folders.get(id);
    if (folder === undefined) throw new Error(`There is no folder ${id}.`);
    return folder;
  }

  message(id: string): StoredMessage {
    const message = this.messages.get(id);
    if (message === undefined) throw new Error(`There is no message ${id}.`);
    return message;
  }

  #log(folder: string, entry: LoggedMail): void {
    this.logs.get(folder)?.push(entry);
  }
}
