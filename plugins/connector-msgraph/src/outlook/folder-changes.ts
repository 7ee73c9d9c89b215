import type { KnownMail, ListedMail } from '@trove/connector-kit/mail';

import type { GraphMessage } from './mail-delta.js';

/** The changes of all folders. A message that left a folder may be in another one. */
export class FolderChanges {
  readonly #known: KnownMail;
  readonly #changed = new Map<string, ListedMail>();
  /** The folder that each message left. */
  readonly #left = new Map<string, string>();

  constructor(known: KnownMail) {
    this.#known = known;
  }

  add(folder: string, message: GraphMessage): void {
    const { id } = message;
    if (message['@removed'] !== undefined) {
      if (this.#changed.get(id)?.place === folder) this.#changed.delete(id);
      this.#left.set(id, folder);
      return;
    }
    if (this.#left.get(id) === folder) this.#left.delete(id);
    if (this.#known.placeOf(id) !== folder || hasNews(message))
      this.#changed.set(id, toListed(folder, message));
  }

  /** Reports that a folder has only these messages. */
  keepOnly(folder: string, ids: ReadonlySet<string>): void {
    for (const id of this.#known.idsIn(folder)) if (!ids.has(id)) this.#left.set(id, folder);
  }

  /** Reports all messages of a folder, because its name has changed. */
  touch(folder: string): void {
    for (const id of this.#known.idsIn(folder))
      if (!this.#changed.has(id))
        this.#changed.set(id, { id, mayHaveAttachments: true, place: folder });
  }

  get changed(): readonly ListedMail[] {
    return [...this.#changed.values()].filter(({ id }) => !this.#isGone(id));
  }

  get removed(): readonly string[] {
    return [...this.#left.keys()].filter((id) => this.#isGone(id));
  }

  /** An earlier sync may have found the message in its new folder already. */
  #isGone(id: string): boolean {
    const folder = this.#left.get(id);
    if (folder === undefined) return false;
    const place = this.#changed.get(id)?.place ?? this.#known.placeOf(id) ?? folder;
    return place === folder;
  }
}

/** Returns a message of a folder as a listing has it. */
export function toListed(folder: string, message: GraphMessage): ListedMail {
  const isWhole = message.parentFolderId !== undefined && message.isDraft !== undefined;
  return {
    id: message.id,
    mayHaveAttachments: message.hasAttachments !== false,
    place: folder,
    ...(isWhole ? { facts: { ...message, parentFolderId: folder } } : {}),
  };
}

/** Whether a message has another member than its id. One that was read has not. */
function hasNews(message: GraphMessage): boolean {
  return Object.keys(message).some((name) => name !== 'id' && !name.startsWith('@'));
}
