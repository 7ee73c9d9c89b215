import type { MailMessage } from '../objects.js';
import { readMail } from '../read-mail.js';
import { mapInOrder } from './map-in-order.js';
import type { FetchedMail, ListedMail, MailboxService } from './service.js';

const maxKeptBytes = 64 * 1024 * 1024;
const maxThreadChars = 400;

/** Requests messages and parses them. */
export class MessageReader {
  readonly #service: MailboxService;
  /** The last requested messages, because the attachments of a message are read one after another. */
  readonly #kept = new Map<string, FetchedMail>();
  #keptBytes = 0;

  constructor(service: MailboxService) {
    this.#service = service;
  }

  /** Yields the parsed messages of a list, with null for those that are gone. */
  parsed(
    listed: readonly ListedMail[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly [ListedMail, MailMessage | null], void, undefined> {
    return mapInOrder(listed, this.#service.parallel, async (each) => {
      signal.throwIfAborted();
      const fetched = await this.#service.message(each, signal);
      return [each, fetched === null ? null : await toMessage(fetched)] as const;
    });
  }

  /** Returns the bytes of a message, or null if it is gone. A message never changes, except for a draft. */
  async bytes(id: string, signal: AbortSignal): Promise<Buffer | null> {
    const known = this.#kept.get(id);
    if (known !== undefined) return known.bytes;
    const fetched = await this.#service.message({ id }, signal);
    if (fetched === null) return null;
    if (!fetched.flags.includes('draft')) this.#keep(fetched);
    return fetched.bytes;
  }

  #keep(mail: FetchedMail): void {
    if (mail.bytes.length > maxKeptBytes) return;
    this.#kept.set(mail.id, mail);
    this.#keptBytes += mail.bytes.length;
    for (const [id, { bytes }] of this.#kept) {
      if (this.#keptBytes <= maxKeptBytes) return;
      this.#kept.delete(id);
      this.#keptBytes -= bytes.length;
    }
  }
}

async function toMessage(fetched: FetchedMail): Promise<MailMessage> {
  const { id, bytes, thread, flags, fields, version, at, url } = fetched;
  const mail = await readMail(bytes);
  return {
    key: { id },
    id,
    flags,
    version,
    fields,
    ...(url === undefined ? {} : { url }),
    mail: { ...mail, thread: thread.slice(0, maxThreadChars), at: mail.at ?? at },
  };
}
