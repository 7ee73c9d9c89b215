/** A message where it lies, before it is parsed. */
export interface MailboxItem {
  /** Names the message in its mailbox, whatever happens to others. */
  readonly id: string;
  /** Changes with the message and what people do with it. */
  readonly version: string;
  readonly flags: readonly string[];
}

/** A folder of mail on the disk. `I`: what it knows of where a message is. */
export interface Mailbox {
  /** Below the root, with `/` between its levels; '' for a target that is a mailbox itself. */
  readonly folder: string;
  /** Where it is on the disk, for people. */
  readonly path: string;
  /** In these, something changes whenever something changes in it. */
  readonly watchedFolders: readonly string[];
  /** Changes with whatever is in it, as cheap as it can be told. Throws the system's error when it is gone. */
  stamp(): Promise<string>;
  /** Its messages in a stable order, without opening each. */
  items(signal: AbortSignal): AsyncIterable<MailboxItem>;
  /** The bytes of a message; null when it is gone. Of one over 64 MiB, the first. */
  bytes(item: MailboxItem): Promise<Buffer | null>;
}

/** Larger messages are read so far. */
export const maxMessageBytes = 64 * 1024 * 1024;
