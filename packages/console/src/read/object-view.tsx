import type { CatResponse, LsEntry } from '@trove/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Failure } from '../parts/failure.js';
import { shownNumber } from '../parts/numbers.js';
import { hrefOf } from '../route.js';
import { useClient } from '../session-context.js';
import { useLoaded } from '../use-loaded.js';
import { Code } from './code.js';
import { Conversation } from './conversation.js';
import { Markdown } from './markdown.js';
import { isMarkdown } from './media.js';
import { Outline } from './outline.js';
import { resolveLink } from './paths.js';
import { readHref } from './read-href.js';
import { catRequest, pageLines, readPage, type ReadChoice } from './read-request.js';
import { RecordTable } from './record-table.js';
import { messagesOf, parseRecords, threadMessages, type Message } from './records.js';

interface Props {
  readonly choice: ReadChoice;
  readonly entry: LsEntry;
  /** The root of its source. */
  readonly root: string;
}

/** Larger pages are shown as plain text. */
const maxMarkdownChars = 400_000;

/** The content of an object: text, records or messages. */
export function ObjectView({ choice, entry, root }: Props): JSX.Element {
  const client = useClient();
  const [isPlain, setIsPlain] = useState(false);
  const request = catRequest(choice);
  const { value, error } = useLoaded(
    (signal) => readPage(client, request, signal),
    [JSON.stringify(request)],
  );
  if (value === undefined) {
    return error === undefined ? <p class="soft">Reading …</p> : <Failure error={error} />;
  }
  if (!('lines' in value)) return <Failure error={new Error('The object has no text.')} />;
  const records = value.lines === null ? parseRecords(value.content) : null;
  const isThread = records === null && value.lines === null && choice.locator !== null;
  const thread = isThread ? threadMessages(value.content) : null;
  const canRender =
    records === null
      ? thread !== null ||
        (isMarkdown(entry.media_type, choice.path) && value.content.length <= maxMarkdownChars)
      : messagesOf(records) !== null;
  return (
    <>
      {error !== undefined && <Failure error={error} />}
      {value.partial && <p class="notice">The source returned only a part of this object.</p>}
      <div class="list-tools">
        {canRender && (
          <button
            type="button"
            class="small"
            aria-pressed={isPlain}
            onClick={() => setIsPlain(!isPlain)}
          >
            {records === null ? 'Show the source' : 'Show a table'}
          </button>
        )}
        <Pages choice={choice} response={value} count={records?.length ?? null} />
      </div>
      <div class="object">
        {records === null && !isThread && <Outline path={choice.path} />}
        <div class="object-text">
          {records === null ? (
            <Text
              {...{ choice, entry, root, thread }}
              response={value}
              isRendered={canRender && !isPlain}
            />
          ) : (
            <Records records={records} from={choice.from} isRendered={canRender && !isPlain} />
          )}
        </div>
      </div>
    </>
  );
}

interface TextProps extends Props {
  readonly response: CatResponse;
  /** The messages of the text, or null. */
  readonly thread: readonly Message[] | null;
  readonly isRendered: boolean;
}

function Text({ choice, root, response, thread, isRendered }: TextProps): JSX.Element {
  const { content, lines } = response;
  const from = lines?.from ?? 1;
  if (content === '') return <p class="soft">The object is empty.</p>;
  if (!isRendered)
    return <Code path={choice.path} text={content} from={from} lines={choice.lines} />;
  if (thread !== null) return <Conversation messages={thread} />;
  return (
    <Markdown
      text={content}
      from={from}
      lines={choice.lines}
      linkTo={(href) => {
        const uri = resolveLink(href, choice.path, root);
        return uri === null ? null : readHref(uri);
      }}
    />
  );
}

interface RecordsProps {
  readonly records: NonNullable<ReturnType<typeof parseRecords>>;
  readonly from: number;
  readonly isRendered: boolean;
}

function Records({ records, from, isRendered }: RecordsProps): JSX.Element {
  const messages = isRendered ? messagesOf(records) : null;
  if (records.length === 0) return <p class="soft">There are no more records.</p>;
  return messages === null ? (
    <RecordTable key={from} records={records} from={from} />
  ) : (
    <Conversation messages={messages} />
  );
}

interface PagesProps {
  readonly choice: ReadChoice;
  readonly response: CatResponse;
  /** The number of records, or null for a text. */
  readonly count: number | null;
}

/** Names the shown lines or records, and links to the pages before and after them. */
function Pages({ choice, response, count }: PagesProps): JSX.Element | null {
  const { path, from, locator } = choice;
  if (locator !== null) return <a href={hrefOf('read', { path })}>Show all records</a>;
  const last = count === null ? (response.lines?.to ?? 0) : from + count - 1;
  const total = response.lines?.total ?? null;
  const hasMore = total === null ? last - from + 1 >= pageLines : last < total;
  if (from === 1 && !hasMore) return null;
  const noun = count === null ? 'Lines' : 'Records';
  return (
    <nav class="pages" aria-label={noun}>
      {from > 1 && (
        <a href={hrefOf('read', { path, from: Math.max(1, from - pageLines) })}>Earlier</a>
      )}
      <span class="soft">
        {noun} {shownNumber(from)} to {shownNumber(Math.max(last, from))}
        {total !== null && ` of ${shownNumber(total)}`}
      </span>
      {hasMore && <a href={hrefOf('read', { path, from: last + 1 })}>Later</a>}
    </nav>
  );
}
