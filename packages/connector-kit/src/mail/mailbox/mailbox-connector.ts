import {
  TroveError,
  type Checkpoint,
  type Connector,
  type Content,
  type ExplainedRequest,
  type RecordsOptions,
  type SourceRecord,
} from '@trove/core';

import type { HttpService } from '../../http/http-service.js';
import { messagesPath, parseMailPath, recordOf } from '../objects.js';
import { readAttachment } from '../read-mail.js';
import { mailChanges, mailEntries, type MailSource } from './mail-sync.js';
import { MessageReader } from './message-reader.js';
import type { ListedMail, MailboxService } from './service.js';

export interface MailboxOptions {
  readonly service: MailboxService;
  /** The login, the limits and the check of the service. */
  readonly http: HttpService;
  readonly title: string;
  /** What decides which messages the source has. */
  readonly settings: string;
  readonly attachments: boolean;
  readonly cacheFolder: string | undefined;
  /** The requests of a sync after the check, for people. */
  explain(isIncremental: boolean): readonly ExplainedRequest[];
}

/** Creates a connector of a mailbox in a web service: `messages.jsonl`, and a document for each attachment. */
export function createMailboxConnector(options: MailboxOptions): Connector {
  const { http, service, title, settings, attachments, cacheFolder } = options;
  const reader = new MessageReader(service);
  const withAttachments = attachments;
  const source: MailSource = { service, reader, title, settings, withAttachments, cacheFolder };
  return {
    capabilities: { costlyListing: true, keysOnly: true, threads: true },

    async *list({ signal }) {
      await http.assertWorks(signal);
      yield* mailEntries(source, signal);
    },

    async *changes(request) {
      await http.assertWorks(request.signal);
      yield* mailChanges(source, request);
    },

    async *records(path, recordsOptions) {
      await http.assertWorksLately(recordsOptions.signal);
      if (path !== messagesPath('')) throw notFound(path);
      yield* readRecords(source, recordsOptions);
    },

    async read(path, { signal }): Promise<Content> {
      const attachment = parseMailPath(path)?.attachment ?? null;
      if (attachment === null || parseMailPath(path)?.folder !== '') throw notFound(path);
      await http.assertWorksLately(signal);
      const bytes = await reader.bytes(attachment.id, signal);
      const content = bytes === null ? null : await readAttachment(bytes, attachment.name);
      if (content === null) throw notFound(path);
      return { bytes: content };
    },

    check: ({ signal }) => http.health(signal),

    async explain({ cursor, signal }) {
      const incremental = cursor !== undefined;
      const check = await http.explainCheck(signal);
      return { incremental, requests: [...check, ...options.explain(incremental)] };
    },

    close: () => {
      http.close();
      return Promise.resolve();
    },
  };
}

async function* readRecords(
  { service, reader }: MailSource,
  options: RecordsOptions,
): AsyncGenerator<SourceRecord | Checkpoint, void, undefined> {
  const { key, thread, signal } = options;
  if (key !== undefined || thread !== undefined) {
    const listed =
      key === undefined
        ? await service.thread(thread ?? '', signal)
        : [{ id: String(key['id']), mayHaveAttachments: false }];
    yield* recordsOf(reader, listed, signal);
    return;
  }
  const { offset = 0, limit = Infinity, keysOnly = false, resume } = options;
  let [skipped, yielded] = [0, 0];
  const seen = new Set<string>();
  const { position: start = null }: { readonly position?: unknown } = Object(resume);
  for (let position = start; ;) {
    const page = await service.messages(position, signal);
    const fresh = page.messages.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    const wanted = fresh.slice(Math.max(0, offset - skipped));
    skipped += fresh.length - wanted.length;
    const records = keysOnly ? keysOf(wanted) : recordsOf(reader, wanted, signal);
    for await (const record of records) {
      yield record;
      if (++yielded >= limit) return;
    }
    if (page.next === null) return;
    position = page.next;
    if (offset === 0 && limit === Infinity) yield { checkpoint: { position } };
  }
}

async function* recordsOf(
  reader: MessageReader,
  listed: readonly ListedMail[],
  signal: AbortSignal,
): AsyncGenerator<SourceRecord, void, undefined> {
  for await (const [, message] of reader.parsed(listed, signal))
    if (message !== null) yield recordOf('', message);
}

function* keysOf(listed: readonly ListedMail[]): Generator<SourceRecord, void, undefined> {
  for (const { id } of listed) yield { key: { id }, fields: {} };
}

function notFound(path: string): TroveError {
  return new TroveError('not_found', `There is nothing at "${path}".`);
}
