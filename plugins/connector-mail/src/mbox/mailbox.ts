/** A message in a mailbox that has not been parsed. */
export interface MailboxItem {
  /** Identifies the message in its mailbox. Independent of other messages. */
  readonly id: string;
  /** Changes with the message and its flags. */
  readonly version: string;
  readonly flags: readonly string[];
}

/** A mailbox on disk. */
export interface Mailbox {
  /** Its path below the root, or '' if the target is the mailbox. */
  readonly folder: string;
  /** Its path on disk. */
  readonly path: string;
  /** Folders to watch for changes of the mailbox. */
  readonly watchedFolders: readonly string[];
  /** Returns a text that changes with the mailbox, without reading messages. Throws the system error if it is gone. */
  stamp(): Promise<string>;
  /** Yields messages in a stable order without parsing them. */
  items(signal: AbortSignal): AsyncIterable<MailboxItem>;
  /** Returns the first 64 MiB of a message, or null if it is gone. */
  bytes(item: MailboxItem): Promise<Buffer | null>;
}

/** Larger messages are cut. */
export const maxMessageBytes = 64 * 1024 * 1024;
