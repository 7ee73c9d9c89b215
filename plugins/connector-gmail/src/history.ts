import type { ListedMail } from '@trove/connector-kit/mail';

/** Messages with these labels are not in the source. */
const hiddenLabels: ReadonlySet<string> = new Set(['TRASH', 'SPAM']);
/** Labels that say nothing about a message. */
const ignoredLabels: ReadonlySet<string> = new Set(['UNREAD']);

interface Change {
  readonly message?: { readonly id?: string; readonly labelIds?: readonly string[] };
  readonly labelIds?: readonly string[];
}

interface HistoryRecord {
  readonly messagesAdded?: readonly Change[];
  readonly messagesDeleted?: readonly Change[];
  readonly labelsAdded?: readonly Change[];
  readonly labelsRemoved?: readonly Change[];
}

export function isHidden(labels: readonly string[]): boolean {
  return labels.some((label) => hiddenLabels.has(label));
}

/** Returns the labels of which a record tells. */
export function shownLabels(labels: readonly string[]): readonly string[] {
  return labels.filter((label) => !ignoredLabels.has(label));
}

/** The last state of each message in the history of a mailbox. */
export class MailHistory {
  readonly #changed = new Set<string>();
  readonly #removed = new Set<string>();

  /** Adds records of a page, oldest first. */
  add(records: readonly unknown[]): void {
    for (const record of records) {
      const { messagesAdded, messagesDeleted, labelsAdded, labelsRemoved }: HistoryRecord =
        Object(record);
      for (const { message } of messagesAdded ?? [])
        this.#set(message?.id, isHidden(message?.labelIds ?? []));
      for (const { message, labelIds = [] } of labelsAdded ?? [])
        if (shownLabels(labelIds).length > 0)
          this.#set(message?.id, isHidden([...labelIds, ...(message?.labelIds ?? [])]));
      // A message that leaves the trash is back. `message` says whether it is still in there.
      for (const { message, labelIds = [] } of labelsRemoved ?? [])
        if (shownLabels(labelIds).length > 0)
          this.#set(message?.id, isHidden(message?.labelIds ?? []));
      for (const { message } of messagesDeleted ?? []) this.#set(message?.id, true);
    }
  }

  get changed(): readonly ListedMail[] {
    return [...this.#changed].map((id) => ({ id, mayHaveAttachments: true }));
  }

  get removed(): readonly string[] {
    return [...this.#removed];
  }

  #set(id: string | undefined, isRemoved: boolean): void {
    if (id === undefined) return;
    this.#changed.delete(id);
    this.#removed.delete(id);
    (isRemoved ? this.#removed : this.#changed).add(id);
  }
}
