import { chunkRecord } from './record.js';

/** Separates the messages of a thread. */
export const messageSeparator = '\n\n';
const targetChars = 1500;
/** The last messages of a chunk are repeated in the next one if they leave room for others. */
const overlap = { messages: 2, chars: targetChars / 2 } as const;

/** A range of adjacent messages, by position; both ends are included. */
export interface MessageRange {
  readonly first: number;
  readonly last: number;
}

export interface ThreadChunk extends MessageRange {
  readonly text: string;
}

/** Packs messages, in order, into chunks of about 1,500 characters. A longer message has its own chunks. */
export function* chunkThread(
  messages: readonly string[],
  maxChars: number,
): Generator<ThreadChunk> {
  const lengths = messages.map(({ length }) => length);
  for (const range of packMessages(lengths, maxChars)) {
    const { first, last } = range;
    const text = messages.slice(first, last + 1).join(messageSeparator);
    for (const part of chunkRecord(text, maxChars)) yield { ...range, text: part };
  }
}

/** Counts the chunks for messages of these lengths. */
export function countThreadChunks(lengths: readonly number[], maxChars: number): number {
  let chunks = 0;
  for (const { first, last } of packMessages(lengths, maxChars))
    chunks += first < last ? 1 : Math.ceil((lengths[first] ?? 0) / maxChars);
  return chunks;
}

function* packMessages(lengths: readonly number[], maxChars: number): Generator<MessageRange> {
  const target = Math.min(targetChars, maxChars);
  const lengthOf = (at: number): number => (lengths[at] ?? 0) + messageSeparator.length;
  for (let next = 0; next < lengths.length;) {
    let first = next;
    let chars = lengthOf(next);
    for (let kept = 0; first > 0 && first > next - overlap.messages; first--) {
      kept += lengthOf(first - 1);
      if (kept > overlap.chars || chars + lengthOf(first - 1) > target) break;
      chars += lengthOf(first - 1);
    }
    let last = next;
    while (last + 1 < lengths.length && chars + lengthOf(last + 1) <= target)
      chars += lengthOf(++last);
    yield { first, last };
    next = last + 1;
  }
}
