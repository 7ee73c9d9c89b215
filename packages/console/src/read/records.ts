/** A record as the API returns it. */
export type ReadRecord = Readonly<Record<string, unknown>>;

/** A message of a thread, a mail or a comment. */
export interface Message {
  readonly author: string | null;
  readonly at: string | null;
  readonly title: string | null;
  readonly text: string;
  readonly others: ReadRecord;
}

const maxColumns = 40;
const maxCellChars = 500;
const authorNames = ['author', 'from', 'user', 'sender', 'user_name'];
const timeNames = ['at', 'date', 'time', 'created_at', 'sent_at', 'ts'];
const titleNames = ['subject', 'title'];
const textNames = ['text', 'body', 'content', 'message'];

/** Parses lines of JSON. Returns null if a line is not an object. */
export function parseRecords(content: string): ReadRecord[] | null {
  const records: ReadRecord[] = [];
  for (const line of content.split('\n')) {
    if (line.trim() === '') continue;
    const record = parseRecord(line);
    if (record === null) return null;
    records.push(record);
  }
  return records;
}

function parseRecord(line: string): ReadRecord | null {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Returns the names of all fields in the order of their first appearance. */
export function columnsOf(records: readonly ReadRecord[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))].slice(0, maxColumns);
}

/** Formats a value for a cell. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxCellChars ? `${text.slice(0, maxCellChars)}…` : text;
}

/** Returns the records as messages, or null if most of them have no text with an author or a time. */
export function messagesOf(records: readonly ReadRecord[]): Message[] | null {
  const messages = records.map(toMessage);
  const clear = messages.filter(
    ({ author, at, text }) => text !== '' && (author !== null || at !== null),
  );
  return clear.length * 2 > messages.length ? messages : null;
}

/** The start of a message in the text of a thread: its author. */
const messageStart = /^([^\n:]{1,80}): /;

/** Parses the text of a thread, in which each message begins with its author. Null for another text. */
export function threadMessages(content: string): Message[] | null {
  const messages: Message[] = [];
  for (const block of content.trim().split(/\n\n(?=[^\n:]{1,80}: )/)) {
    const [start, author] = messageStart.exec(block) ?? [];
    if (start === undefined || author === undefined) return null;
    const text = block.slice(start.length).trim();
    messages.push({ author, at: null, title: null, text, others: {} });
  }
  return messages;
}

function toMessage(record: ReadRecord): Message {
  const [author, at, title, text] = [authorNames, timeNames, titleNames, textNames].map(
    (names) => names.find((name) => typeof record[name] === 'string') ?? null,
  );
  const used = [author, at, title, text];
  const valueOf = (name: string | null | undefined): string | null =>
    typeof name === 'string' ? String(record[name]) : null;
  return {
    author: valueOf(author),
    at: valueOf(at),
    title: valueOf(title),
    text: valueOf(text) ?? '',
    others: Object.fromEntries(Object.entries(record).filter(([name]) => !used.includes(name))),
  };
}

function isRecord(value: unknown): value is ReadRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
